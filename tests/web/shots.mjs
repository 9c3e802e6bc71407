// Pictures of the page for docs/dashboard: `./dev web shots [--only NAME] [--out DIR]` on a stack of its own, or on one that is up
// node tests/web/shots.mjs --page URL --baton PATH --hello PATH [--as-is].
// It makes a few apps on the stack: one rolling, one held, one that waits for a promotion. pngquant makes them small.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { closeBrowser, openPage } from "./browser.mjs";
import { undoAHeldRoll } from "./held_roll.mjs";
import { options } from "./options.mjs";
import { apply, baton, call } from "./stack.mjs";

const kMostBytes = 90_000;
const kMostBytesMoving = 400_000;
const gentle = { min_healthy_time: "300ms", bake_time: "0s" };

async function makeApps() {
  await Promise.allSettled(["shop", "search", "checkout", "blog", "mail", "login"].map((guid) => baton(["delete", guid, "--wait"])));
  await Promise.all([
    ...["blog", "mail", "login"].map((guid) => apply({ guid, version: "v7", instances: 2 }, "--wait")),
    apply({ guid: "shop", version: "v1", instances: 6, strategy: gentle }, "--wait"),
    apply({ guid: "search", version: "v12", instances: 4, strategy: gentle }, "--wait"),
    apply({ guid: "checkout", version: "v3", instances: 3, strategy: gentle }, "--wait"),
  ]);
  await apply({ guid: "search", version: "v13", instances: 4, strategy: { ...gentle, stages: [{ instances: 1, promotion: true }] } });
  await apply({ guid: "checkout", version: "v4", instances: 3, broken: true });
  await apply({ guid: "blog", version: "v8", instances: 2, memory: "48MiB" }, "--wait");
  await apply({ guid: "shop", version: "v2", instances: 6, strategy: { min_healthy_time: "8s", bake_time: "0s", drain_timeout: "4s" } });
}

if (!options["as-is"]) await makeApps();
const { roll: last } = await call("Rolls/GetRoll", { process_guid: "blog" });
const slotChanges = (page) => page.locator(".slot").filter({ has: page.locator(".chip.old") }).filter({ has: page.locator(".chip.new") }).nth(0).waitFor();
const steps = (n) => (page) => page.locator(".timeline .dot").nth(n).waitFor();
const rows = (page) => page.locator("main tbody tr").nth(1).waitFor();
const yaml = `# The app of the pictures, made larger and given more memory.
guid: login
domain: page-test
instances: 3
routes:
  - {hostname: login.example, port: 8080}
strategy: {max_in_flight: 1, min_healthy_time: 300ms, on_failure: HOLD, max_failures: 1, bake_time: 300ms, drain_timeout: 2s}
definition:
  identifier: v8
  root_fs: host:any
  memory: 64MiB
  ports: [8080]
  start_timeout: 15s
  env: {VERSION: v8}
  action:
    run: {path: ${options.hello}}
  check:
    liveness: [{tcp: {port: 8080}}]
    readiness: [{http: {port: 8080, path: /healthz, interval: 100ms}}]
`;
const plan = async (page) => {
  await page.getByRole("textbox").fill(yaml);
  await page.getByRole("button", { name: /See what/ }).click();
  await page.locator(".timeline .ahead").first().waitFor();
  await page.getByRole("textbox").evaluate((box) => (box.scrollTop = 0));
};
const shots = [
  { name: "app", path: "/apps/shop", ready: async (page) => (await steps(3)(page), await slotChanges(page)) },
  { name: "app-dark", path: "/apps/shop", dark: true, ready: slotChanges },
  { name: "app-360", path: "/apps/shop", ready: slotChanges, width: 360, height: 740 },
  { name: "fleet", path: "/", ready: rows, height: 620 },
  { name: "fleet-dark", path: "/", ready: rows, dark: true, height: 620 },
  { name: "held", path: "/apps/checkout", ready: (page) => page.locator(".rollhead .reason").waitFor() },
  { name: "definitions", path: "/apps/blog/definitions", ready: (page) => page.getByRole("region", { name: "Fields that differ" }).waitFor(), height: 620 },
  { name: "rolls", path: "/rolls", ready: rows },
  { name: "roll", path: "/rolls/" + last.roll_id, ready: steps(3) },
  { name: "cells", path: "/cells", ready: rows, height: 400 },
  { name: "events", path: "/events", ready: rows },
  { name: "system", path: "/system", ready: (page) => page.locator("tbody tr").first().waitFor() },
  { name: "plan", path: "/plan", ready: plan, height: 1000 },
];

mkdirSync(options.out, { recursive: true });
let wrong = 0;
function judge(file, most) {
  const bytes = statSync(file).size;
  console.log(`${bytes > most ? "TOO LARGE" : "ok"} ${file} ${bytes} bytes`);
  wrong += bytes > most;
}
for (const { name, path, ready, ...how } of shots.filter((shot) => shot.name.includes(options.only))) {
  const { page, go, close } = await openPage({ still: true, ...how });
  await go(path);
  await page.locator("nav .count").or(page.locator(".who")).first().waitFor();
  await ready(page);
  const file = `${options.out}/${name}.png`;
  await page.screenshot({ path: file });
  await close();
  execFileSync("pngquant", ["--force", "--skip-if-larger", "--quality=60-95", "--strip", "--output", file, file], { stdio: "inherit" });
  judge(file, kMostBytes);
}

// The one that moves: what the test of a held roll does, click by click; what is clicked next is framed. It comes last, as it ends the
// roll that others show.
async function moving(file) {
  const folder = mkdtempSync(tmpdir() + "/baton-shots-");
  const { page, go, close } = await openPage({ still: true, width: 1100, height: 700 });
  const frames = [];
  await undoAHeldRoll(page, go, "checkout", async (what, target) => {
    await target?.evaluate((element) => (element.style.outline = "3px solid #d6336c"));
    const frame = `${folder}/${frames.length}-${what}.png`;
    await page.screenshot({ path: frame });
    await target?.evaluate((element) => (element.style.outline = ""));
    frames.push("-d", what === "asked" || what === "undone" ? "3500" : "2500", "-lossless", frame);
  });
  await close();
  execFileSync("img2webp", ["-loop", "0", ...frames, "-o", file], { stdio: ["ignore", "ignore", "inherit"] });
  rmSync(folder, { recursive: true });
  judge(file, kMostBytesMoving);
}
if ("held-roll".includes(options.only)) await moving(`${options.out}/held-roll.webp`);
await closeBrowser();
process.exit(wrong ? 1 : 0);
