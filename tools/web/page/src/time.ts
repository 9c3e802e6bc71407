// Nanoseconds since 1970, as batond says them, to what people read. The one place that does it.
import { signal } from "@preact/signals";

// What the server's clock is ahead of this machine's, in milliseconds.
let ahead = 0;
export function setServerTime(ns: string) {
  ahead = Number(BigInt(ns) / 1000000n) - Date.now();
}
// The server's time, in milliseconds; it moves once a second for whoever shows it.
export const now = signal(Date.now());
setInterval(() => (now.value = Date.now() + ahead), 1000);
export const serverNow = () => Date.now() + ahead;

export const ms = (ns: string | number | undefined): number => (ns && ns !== "0" ? Number(ns) / 1e6 : 0);

// "1.4 s", "3 min", "2 h", "5 d".
export function span(milliseconds: number): string {
  const s = Math.max(0, milliseconds) / 1000;
  if (s < 10) return s.toFixed(1) + " s";
  if (s < 90) return Math.round(s) + " s";
  if (s < 5400) return Math.round(s / 60) + " min";
  if (s < 129600) return Math.round(s / 3600) + " h";
  return Math.round(s / 86400) + " d";
}
export const ago = (ns: string): string => (ms(ns) ? span(now.value - ms(ns)) + " ago" : "");
export const since = (ns: string): string => (ms(ns) ? span(now.value - ms(ns)) : "");
export function clock(ns: string): string {
  if (!ms(ns)) return "";
  const date = new Date(ms(ns));
  const time = date.toLocaleTimeString([], { hour12: false });
  return date.toDateString() === new Date().toDateString() ? time : date.toLocaleDateString() + " " + time;
}
