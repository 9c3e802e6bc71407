// Debian's chromium, driven by playwright-core; whatever a page says on its console counts as a fault.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { options } from "./options.mjs";

const require = createRequire(process.env.BATON_PAGE_MODULES ? process.env.BATON_PAGE_MODULES + "/" : new URL("../../build/page_modules/package.json", import.meta.url));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const browser = await chromium.launch({ executablePath: options.chromium, args: ["--no-sandbox"] });
export const closeBrowser = () => browser.close();

// A refused call is drawn by Chromium on the console whether the page copes or not.
const expected = /^Failed to load resource: the server responded with a status of (400|404|409|501|503)/;

// One page in a context of its own. `role`: what the page is told that it is; the server still knows better.
export async function openPage({ width = 1280, height = 860, dark = false, role = "", still = false } = {}) {
  const context = await browser.newContext({
    viewport: { width, height }, colorScheme: dark ? "dark" : "light", reducedMotion: still ? "reduce" : "no-preference", locale: "en-GB",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const faults = [];
  page.on("console", (message) => {
    if (message.type() === "error" && !expected.test(message.text())) faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(error.message));
  if (role) {
    await page.route("**/api/me", async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), role } });
    });
  }
  return { page, faults, close: () => context.close(), go: (path) => page.goto(options.page + path) };
}

// What axe finds serious or critical, a line each. It is asked for by the debugger, so the page's CSP stays as it is.
export async function axeFaults(page) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return found.violations
    .filter((v) => v.impact === "serious" || v.impact === "critical")
    .map((v) => `${v.id} (${v.impact}): ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 120) + " " + (n.any[0]?.message ?? "")).join(" | ")}`);
}

// Runs `test` with a page that is closed afterwards, and must have said nothing on its console.
export async function withPage(test, how) {
  const opened = await openPage(how);
  try {
    await test(opened.page, opened.go);
    assert.deepEqual(opened.faults, [], "console");
  } finally {
    await opened.close();
  }
}
