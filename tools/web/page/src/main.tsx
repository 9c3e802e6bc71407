// The page: its frame, and which screen the path means.
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { me, post } from "./api";
import { away, connected, counts, go, login, loginFor, mayOperate, place, said, setTheme, theme, toast, who } from "./state";
import { ago, setServerTime } from "./time";
import { Fleet } from "./fleet";
import { AppScreen } from "./app_screen";
import { Definitions } from "./definitions";
import { Events } from "./events";
import { Cells, CellScreen, Rolls, RollScreen, System } from "./other_screens";
import { Plan } from "./plan";
import { Dialog } from "./actions";

const tabs = [["/", "Fleet"], ["/rolls", "Rolls"], ["/cells", "Cells"], ["/events", "Events"], ["/plan", "Plan"], ["/system", "System"]];

function Screen() {
  const [, first, second, third] = place.value.split("?")[0].split("/").map(decodeURIComponent);
  if (first === "apps" && second) return third === "definitions" ? <Definitions key={second} guid={second} /> : <AppScreen key={second} guid={second} />;
  if (first === "rolls") return second ? <RollScreen key={second} id={second} /> : <Rolls key={place.value} />;
  if (first === "cells") return second ? <CellScreen key={second} id={second} /> : <Cells />;
  if (first === "events") return <Events />;
  if (first === "system") return <System />;
  if (first === "plan") return <Plan />;
  if (!first) return <Fleet />;
  return <main><h1>There is no such page</h1><p><a href="/">All apps</a></p></main>;
}

function Login() {
  const [token, setToken] = useState("");
  const [fault, setFault] = useState("");
  const enter = async (event: Event) => {
    event.preventDefault();
    try {
      await post("/login", { token });
      location.reload();
    } catch (error: any) {
      setFault(error.message);
    }
  };
  return (
    <main class="login"><h1>Baton</h1>
      <form onSubmit={enter}><label>Token<input type="password" autocomplete="current-password" value={token} onInput={(e) => setToken((e.target as HTMLInputElement).value)} /></label>
        {fault && <p class="bad" role="alert">{fault}</p>}<button class="main">Log in</button></form>
      <p class="dim">A token comes from who runs baton-web: baton-web token NAME --role ROLE</p>
    </main>
  );
}

function Nobody() {
  return (
    <main class="login"><h1>You are not known here</h1>
      <p>No token is asked for: your browser's certificate says who you are, or a proxy that you come through.</p>
      <p><button onClick={() => location.reload()}>Try again</button></p>
    </main>
  );
}

function Help({ close }: { close: () => void }) {
  const keys = [["/", "filter"], ["j k", "next, previous row"], ["enter", "open the row"], ["p", "pause or resume the app's roll"], ["g", "all apps"], ["?", "this"], ["esc", "close"]];
  return <dialog open class="help" aria-label="Keys"><h2>Keys</h2><table class="plain"><tbody>{keys.map(([key, what]) => <tr><th scope="row"><kbd>{key}</kbd></th><td>{what}</td></tr>)}</tbody></table><div class="buttons"><button onClick={close} autofocus>Close</button></div></dialog>;
}

function Page() {
  const [help, setHelp] = useState(false);
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (event.key === "Escape") setHelp(false);
      if ((event.target as Element).matches("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "?") setHelp(!help);
      if (event.key === "g") go("/");
      if (event.key === "/") (event.preventDefault(), document.getElementById("filter")?.focus());
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  });
  const path = place.value.split("?")[0];
  const on = (to: string) => (to === "/" ? path === "/" || path.startsWith("/apps/") : path.startsWith(to));
  useEffect(() => {
    document.title = (path === "/" ? "" : decodeURIComponent(path.slice(1).split("/").slice(0, 2).pop() ?? "") + " · ") + "Baton";
  }, [path]);
  if (login.value) return login.value === "token" ? <Login /> : <Nobody />;
  const gone = !connected.value ? "baton-web does not answer; what is shown is as it was." : away.value ? `no batond leads since ${ago(away.value.since)}: ${away.value.why}. What is shown is as it was then.` : "";
  return (
    <div class={gone ? "page gone" : "page"}>
      <a class="skip" href="#main">To the content</a>
      <header class="top">
        <a class="brand" href="/">Baton</a>
        <nav aria-label="Screens">{tabs.filter(([to]) => to !== "/plan" || mayOperate()).map(([to, name]) => <a key={to} href={to} aria-current={on(to) ? "page" : undefined}>{name}{to === "/" && counts.value?.held > 0 && <b class="count">{counts.value.held}</b>}</a>)}</nav>
        <span class="right">
          <span class="dim wide">{counts.value?.leader}</span>
          {who.value && <span class="who">{who.value.name} <small>{who.value.role.toLowerCase()}</small></span>}
          <button aria-label={"Colours: " + (theme.value || "as the system")} title="light, dark, as the system" onClick={() => setTheme(theme.value === "" ? "dark" : theme.value === "dark" ? "light" : "")}>{theme.value === "dark" ? "☾" : theme.value === "light" ? "☀" : "◐"}</button>
          <button aria-label="Keys" onClick={() => setHelp(true)}>?</button>
          {who.value?.login && <button onClick={() => post("/logout", {}).finally(() => location.reload())}>Log out</button>}
        </span>
      </header>
      {gone && <p class="away" role="alert"><i aria-hidden="true">▲</i> {gone}</p>}
      <div id="main"><Screen /></div>
      {help && <Help close={() => setHelp(false)} />}
      <Dialog />
      {toast.value && <p class={"toast" + (toast.value.bad ? " bad" : "")} role="status">{toast.value.text}</p>}
      <p class="hidden" aria-live="polite">{said.value}</p>
    </div>
  );
}

async function begin() {
  try {
    who.value = await me();
    setServerTime(who.value.at);
  } catch (error: any) {
    login.value = loginFor(error);
    if (!login.value) setTimeout(begin, 2000);
  }
}
begin();
render(<Page />, document.getElementById("app")!);
