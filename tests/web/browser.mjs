// Debian's chromium, driven by playwright-core; whatever a page says on its console counts as a fault. It is the headless shell: the
// whole browser draws a window's frame for each page, in a process of its own, which costs more than the page.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { options } from "./options.mjs";

const require = createRequire(process.env.BATON_PAGE_MODULES ? process.env.BATON_PAGE_MODULES + "/" : new URL("../../build/page_modules/package.json", import.meta.url));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const browser = await chromium.launch({ executablePath: options.chromium, args: ["--no-sandbox"] });
export const closeBrowser = () => browser.close();

// A refused call is drawn by Chromium on the console whether the page copes or not.
const expected = /^Failed to load resource: the server responded with a status of (400|401|403|404|409|501|503)/;
const lost = /net::ERR_(CONNECTION_REFUSED|CONNECTION_RESET|INCOMPLETE_CHUNKED_ENCODING|EMPTY_RESPONSE)/;

// One page in a context of its own. `role`: what the page is told that it is; the server still knows better. `base`: of another
// baton-web than the stack's; `gone`: that one is killed meanwhile. `certificate`: the folder of what the browser shows to it.
export async function openPage({ width = 1280, height = 860, dark = false, role = "", still = false, base = options.page, gone = false, certificate = "" } = {}) {
  const context = await browser.newContext({
    viewport: { width, height }, colorScheme: dark ? "dark" : "light", reducedMotion: still ? "reduce" : "no-preference", locale: "en-GB",
    ignoreHTTPSErrors: true,
    clientCertificates: certificate ? [{ origin: base, certPath: certificate + "/cert.pem", keyPath: certificate + "/key.pem" }] : [],
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const faults = [];
  page.on("console", (message) => {
    if (message.type() === "error" && !expected.test(message.text()) && !(gone && lost.test(message.text()))) faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(error.message));
  if (role) {
    await page.route("**/api/me", async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), role } });
    });
  }
  return { page, faults, close: () => context.close(), go: (path) => page.goto(base + path) };
}

// What axe finds serious or critical, a line each. It is asked for by the debugger, so the page's CSP stays as it is.
// In the dark only colours are others.
export async function axeFaults(page) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    return window.axe.run(document, { resultTypes: ["violations"], ...(dark && { runOnly: ["color-contrast", "link-in-text-block"] }) });
  });
  return found.violations
    .filter((v) => v.impact === "serious" || v.impact === "critical")
    .map((v) => `${v.id} (${v.impact}): ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 120) + " " + (n.any[0]?.message ?? "")).join(" | ")}`);
}

// Of withPage's `record`: what was done and how it looked at each moment; `./dev web show NAME` replays it.
export const recorded = (name) => resolve(options.recorded, name + ".zip");

// Runs `test` with a page that is closed afterwards, and must have said nothing on its console. `record`: the name of a recording,
// which is there whether the test passes or fails.
export async function withPage(test, { record = "", ...how } = {}) {
  const opened = await openPage(how);
  const { tracing } = opened.page.context();
  if (record) await tracing.start({ screenshots: true, snapshots: true, title: record.replace(/-/g, " ") });
  try {
    await test(opened.page, opened.go);
    assert.deepEqual(opened.faults, [], "console");
  } finally {
    if (record) {
      mkdirSync(options.recorded, { recursive: true });
      rmSync(recorded(record), { force: true });
      await tracing.stop({ path: recorded(record) });
      console.log("recorded", recorded(record));
    }
    await opened.close();
  }
}
