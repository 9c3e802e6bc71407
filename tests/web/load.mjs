// The page over many apps: node tests/web/load.mjs --page URL [--part looking|changing] [--seconds S]. page_load_e2e makes the apps, and
// changes those on the first screen meanwhile in the second part. Times are printed, not judged: they are the machine's as well.
// Judged is what is the page's alone: the heap, shifts of the layout, and rows that stay mounted.
import { setTimeout as pause } from "node:timers/promises";
import { closeBrowser, openPage } from "./browser.mjs";
import { options } from "./options.mjs";

const kMostHeap = 30 * 1024 * 1024;
const kFrames = 300;

const { page, go, faults } = await openPage();
page.setDefaultTimeout(60_000);
const devtools = await page.context().newCDPSession(page);
await page.addInitScript(() => {
  window.shifts = 0;
  new PerformanceObserver((list) => list.getEntries().forEach((e) => e.hadRecentInput || (window.shifts += e.value))).observe({ type: "layout-shift", buffered: true });
  const look = () => (document.querySelector("main tbody tr td a") ? (window.usable = performance.now()) : requestAnimationFrame(look));
  requestAnimationFrame(look);
});
// Until rows are there: what a click takes.
async function open(path) {
  await go(path);
  await page.waitForFunction(() => window.usable);
  return Math.round(await page.evaluate(() => window.usable));
}
const number = (label) => page.locator(".number", { hasText: label }).locator("b").textContent();
const found = async () => Number((await page.getByRole("status").first().textContent()).split(" ")[0]);

const busy = async () => (await devtools.send("Performance.getMetrics")).metrics.find((m) => m.name === "TaskDuration").value; // seconds

const judged = [];
const judge = (fine, what) => judged.push([fine, what]);
async function judgeHeap(when) {
  await devtools.send("HeapProfiler.collectGarbage");
  const heap = (await devtools.send("Runtime.getHeapUsage")).usedSize;
  judge(heap <= kMostHeap, `heap ${(heap / 1048576).toFixed(1)} MiB ${when}`);
}

async function looking() {
  await open("/?sort=guid"); // baton-web has begun a moment ago, and may still read its snapshot
  const usable = await open("/?sort=guid");
  console.log(`usable after ${usable} ms`);
  console.log(`on the page: ${await number("apps")} apps, ${await number("slots served")} slots served`);
  judge((await found()) === Number(await number("apps")), `${await found()} apps in the list`);
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" }); // processor time: others work on the machine as well
  const busyBefore = await busy();
  const frames = await page.evaluate(async (count) => {
    const box = document.querySelector(".table");
    const times = [];
    let last = performance.now();
    const step = (box.scrollHeight - box.clientHeight) / count;
    for (let i = 0; i < count; i++) {
      box.scrollTop += step;
      const at = await new Promise(requestAnimationFrame);
      times.push(at - last);
      last = at;
    }
    box.scrollTop = box.scrollHeight;
    return times.slice(1).sort((a, b) => a - b);
  }, kFrames);
  console.log(`a step of that: ${((1000 * ((await busy()) - busyBefore)) / kFrames).toFixed(1)} ms of a core in the tab`);
  const at = (part) => frames[Math.floor(part * (frames.length - 1))].toFixed(1);
  console.log(`scrolling all of it in ${kFrames} steps: frames p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms`);
  await page.locator("tr", { hasText: "template" }).waitFor(); // the last one by name
  await judgeHeap("after scrolling");
  console.log(`rolls of all apps after ${await open("/rolls")} ms`);
  const rolls = await page.locator("main tbody tr").count();
  judge(rolls > 0 && rolls <= 500, `${rolls} rolls are drawn`);
  console.log(`cells after ${await open("/cells")} ms`);
}

async function changing() {
  await open("/?sort=guid");
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.evaluate(() => {
    window.shifts = window.changed = 0;
    window.kept = new Map([...document.querySelectorAll("table.apps tbody tr")].map((tr) => [tr.querySelector(".name")?.textContent, tr]));
    new MutationObserver((list) => (window.changed += list.length)).observe(document.querySelector("table.apps tbody"), { subtree: true, childList: true, characterData: true });
  });
  const [start, busyBefore] = [Date.now(), await busy()];
  await pause(Number(options.seconds) * 1000);
  const share = (100_000 * ((await busy()) - busyBefore)) / (Date.now() - start);
  console.log(`tab ${share.toFixed(1)} % of a core`);
  const { shifts, changed, anew } = await page.evaluate(() => ({
    shifts: window.shifts,
    changed: window.changed,
    anew: [...document.querySelectorAll("table.apps tbody tr")].filter((tr) => {
      const name = tr.querySelector(".name")?.textContent;
      return name && window.kept.get(name) && window.kept.get(name) !== tr;
    }).length,
  }));
  judge(changed > 0, `${changed} changes drawn`);
  judge(shifts === 0, `layout shift ${shifts}`);
  judge(anew === 0, `${anew} rows mounted anew in ${options.seconds} s`);
  await judgeHeap("after that");
}

await (options.part === "changing" ? changing() : looking());
judge(faults.length === 0, `console: ${faults.length} errors ${faults.slice(0, 2).join(" | ")}`);
for (const [fine, what] of judged) console.log(fine ? "ok" : "FAILED", what);
await closeBrowser();
process.exit(judged.every(([fine]) => fine) ? 0 : 1);
