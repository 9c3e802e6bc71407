document.getElementById("app")!.textContent = "Baton";
