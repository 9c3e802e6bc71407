// What all screens share.
import { signal } from "@preact/signals";

export const who = signal<any>(null); // /api/me
export const login = signal<"" | "token" | "nobody">(""); // it is not known who looks; whether a token would say it
export const loginFor = (error: any) => (error.code !== "unauthenticated" ? "" : error.body?.login ? "token" : "nobody");
export const counts = signal<any>(null);
export const away = signal<any>(null); // no batond leads: {why, since}
export const connected = signal(true); // to baton-web
export const said = signal(""); // for screen readers, once
export const toast = signal<{ text: string; bad: boolean } | null>(null);

export const mayOperate = () => who.value?.role === "OPERATOR" || who.value?.role === "ADMIN";
export const mayWrite = () => who.value?.role === "ADMIN";

// Where the browser is: its path and its query.
export const place = signal(location.pathname + location.search);
addEventListener("popstate", () => (place.value = location.pathname + location.search));
export function go(to: string, replace = false) {
  if (to === place.value) return;
  replace ? history.replaceState(null, "", to) : history.pushState(null, "", to);
  place.value = to;
  if (!replace) scrollTo(0, 0);
}
// A click on one of our own links stays in the page.
addEventListener("click", (event) => {
  const link = (event.target as Element).closest?.("a[href^='/']") as HTMLAnchorElement | null;
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  go(link.getAttribute("href")!);
});

let clear = 0;
export function tell(text: string, bad = false) {
  toast.value = { text, bad };
  clearTimeout(clear);
  clear = setTimeout(() => (toast.value = null), bad ? 12000 : 5000);
}

// Light, dark, or as the system says.
export const theme = signal(localStorage.getItem("theme") ?? "");
export function setTheme(to: string) {
  theme.value = to;
  to ? localStorage.setItem("theme", to) : localStorage.removeItem("theme");
  document.documentElement.dataset.theme = to;
}
document.documentElement.dataset.theme = theme.value;
