// The page over 10,000 apps that change: node tests/web/load.mjs --page URL --baton PATH --hello PATH [--apps N] [--seconds S]
// The page's role has to be admin (baton-web run --loopback-role admin). Apps want an instance or none, of a kind that no
// cell has, so that rows change and nothing is started. Times are printed, not judged: they are the machine's as well.
// Judged is what is the page's alone: the heap, shifts of the layout, and rows that stay mounted.
import { closeBrowser, openPage } from "./browser.mjs";
import { options } from "./options.mjs";
import { appFile, call, me } from "./stack.mjs";

const kMostHeap = 30 * 1024 * 1024;
const apps = Number(options.apps);
if ((await me()).role !== "ADMIN") {
  console.error("the page's role has to be admin: baton-web run --loopback-role admin");
  process.exit(2);
}

const guidOf = (i) => "load-" + String(i).padStart(6, "0");
// So many at a time, until `more` says that it is enough; how many were done.
async function inParallel(workers, more, work) {
  let next = 0;
  await Promise.all(Array.from({ length: workers }, async () => {
    while (more(next)) await work(next++);
  }));
  return next;
}

const planned = await (await fetch(options.page + "/api/plan", {
  method: "POST", headers: { "Content-Type": "application/json", "Baton-Page": "1" },
  body: JSON.stringify({ yaml: appFile({ guid: "load-x", version: "v1", instances: 0 }) }),
})).json();
async function makeApp(i) {
  const lrp = structuredClone(planned.request.desired_lrp);
  lrp.process_guid = guidOf(i);
  lrp.routes = { routes: {} };
  lrp.definition.placement_tags = ["of-no-cell"];
  await call("DesiredLRPs/DesireLRP", { desired_lrp: lrp }).catch((error) => {
    if (!/already_exists/.test(error.message)) throw error;
  });
}
const began = Date.now();
await inParallel(16, (n) => n < apps, makeApp);
console.log(`made ${apps} apps in ${((Date.now() - began) / 1000).toFixed(1)} s`);

const { page, go, faults } = await openPage();
await page.addInitScript(() => {
  window.shifts = 0;
  new PerformanceObserver((list) => list.getEntries().forEach((e) => e.hadRecentInput || (window.shifts += e.value))).observe({ type: "layout-shift", buffered: true });
  const look = () => (document.querySelector("table.apps tbody tr td.name") ? (window.usable = performance.now()) : requestAnimationFrame(look));
  requestAnimationFrame(look);
});
await go("/?sort=guid&q=load-");
await page.waitForFunction(() => window.usable);
console.log(`usable after ${Math.round(await page.evaluate(() => window.usable))} ms`);
await page.getByRole("status").filter({ hasText: `${apps} apps` }).waitFor();

const frames = await page.evaluate(async () => {
  const box = document.querySelector(".table");
  const times = [];
  let last = performance.now();
  const step = (box.scrollHeight - box.clientHeight) / 300;
  for (let i = 0; i < 300; i++) {
    box.scrollTop += step;
    const at = await new Promise(requestAnimationFrame);
    times.push(at - last);
    last = at;
  }
  box.scrollTop = 0;
  return times.slice(1).sort((a, b) => a - b);
});
console.log(`scrolling all of it in 300 steps: frames p50 ${frames[150].toFixed(1)} ms, p95 ${frames[284].toFixed(1)} ms, longest ${frames.at(-1).toFixed(1)} ms`);
await page.locator("tr", { hasText: guidOf(0) }).waitFor();

// Changes, among them rows that are on the screen, which have to stay the elements that they are.
const devtools = await page.context().newCDPSession(page);
await devtools.send("Performance.enable", { timeDomain: "threadTicks" }); // processor time: the machine is busy with the load as well
const busy = async () => (await devtools.send("Performance.getMetrics")).metrics.find((m) => m.name === "TaskDuration").value;
await page.evaluate(() => {
  window.shifts = 0;
  window.kept = new Map([...document.querySelectorAll("table.apps tbody tr")].map((tr) => [tr.querySelector(".name")?.textContent, tr]));
});
const [start, busyBefore] = [Date.now(), await busy()];
const until = start + Number(options.seconds) * 1000;
const changes = await inParallel(16, () => Date.now() < until, (n) => {
  const lap = Math.floor(n / 400) % 2;
  return call("DesiredLRPs/UpdateDesiredLRP", { process_guid: guidOf(n % 400), update: { instances: lap ? 0 : 1 } });
});
const took = (Date.now() - start) / 1000;
const share = (100 * ((await busy()) - busyBefore)) / took;
const { shifts, anew } = await page.evaluate(() => ({
  shifts: window.shifts,
  anew: [...document.querySelectorAll("table.apps tbody tr")].filter((tr) => {
    const name = tr.querySelector(".name")?.textContent;
    return name && window.kept.get(name) && window.kept.get(name) !== tr;
  }).length,
}));
console.log(`${(changes / took).toFixed(0)} changes a second for ${took.toFixed(0)} s: ${share.toFixed(1)} % of a core in the tab`);

await devtools.send("HeapProfiler.collectGarbage");
const heap = (await devtools.send("Runtime.getHeapUsage")).usedSize;
const judged = [
  [heap <= kMostHeap, `heap ${(heap / 1048576).toFixed(1)} MiB`],
  [shifts === 0, `layout shift ${shifts}`],
  [anew === 0, `${anew} rows mounted anew`],
  [faults.length === 0, `console: ${faults.length} errors ${faults.slice(0, 2).join(" | ")}`],
];
for (const [fine, what] of judged) console.log(fine ? "ok" : "FAILED", what);
await inParallel(16, (n) => n < apps, (i) => call("DesiredLRPs/RemoveDesiredLRP", { process_guid: guidOf(i) }));
await closeBrowser();
process.exit(judged.every(([fine]) => fine) ? 0 : 1);
