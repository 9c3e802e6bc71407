// The one live stream of this tab, and what it shows. A hidden tab has none: browsers allow six connections a host.
import { away, connected, counts, login, loginFor } from "./state";
import { me, post } from "./api";

type Listener = (event: string, data: any) => void;

let source: EventSource | null = null;
let stream = "";
let wanted: any = { view: "none" };
let listener: Listener = () => {};

// One at a time: two on their way may arrive in either order, and the page would be left with what it has scrolled past.
let asking = false;
let again = false;
function ask() {
  if (!stream) return;
  if (asking) return void (again = true);
  [asking, again] = [true, false];
  post("/live/" + stream, wanted).catch(() => {}).finally(() => {
    asking = false;
    if (again) ask();
  });
}

function open() {
  if (source || document.hidden) return;
  source = new EventSource("/live");
  const on = (name: string, act: (data: any) => void) =>
    source!.addEventListener(name, (event) => act(JSON.parse((event as MessageEvent).data)));
  on("hello", (data) => {
    connected.value = true;
    stream = data.stream;
    ask();
  });
  on("counts", (data) => (counts.value = data));
  on("away", (data) => (away.value = data));
  on("back", () => (away.value = null));
  for (const name of ["window", "patch", "app", "cells", "events"]) on(name, (data) => listener(name, data));
  source.onerror = () => {
    connected.value = false;
    stream = "";
    if (source?.readyState !== EventSource.CLOSED) return; // it tries again by itself
    source = null;
    me().catch((error) => (login.value ||= loginFor(error))); // his session has ended
    setTimeout(() => login.value || open(), 1000);
  };
}

function close() {
  source?.close();
  source = null;
  stream = "";
}

document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));

// Shows another view from now on; what is told of it goes to `told`.
export function look(view: any, told: Listener) {
  listener = told;
  const same = JSON.stringify(view) === JSON.stringify(wanted);
  wanted = view;
  source ? same || ask() : open();
  if (same && stream) ask();
}
