// Whoever it looks at is killed: the page says so, keeps what it has, and goes on without a reload.
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { quickly } from "./acting.mjs";
import { axeFaults, withPage } from "./browser.mjs";
import { options } from "./options.mjs";
import { withOwnPage } from "./own_page.mjs";
import { apply, me, name } from "./stack.mjs";

const kSaysItWithin = 1000; // ms, docs: "When it says that it is away"
const kGoesOnWithin = 3000; // ms after somebody leads, or baton-web is there, again

// Notes when the page says that it is away, and when it stops saying so; a reload would forget it.
const note = (page) => page.evaluate(() => {
  window.seen = {};
  new MutationObserver(() => {
    const away = !!document.querySelector("p.away");
    if (away) window.seen.away ??= Date.now();
    else if (window.seen.away) window.seen.back ??= Date.now();
  }).observe(document.body, { subtree: true, childList: true });
});

// What is on the page stays there while it is away; afterwards it follows what changes.
async function lose(page, go, guid, kill, again) {
  await go("/apps/" + guid);
  await page.locator(".chip", { hasText: "v1" }).nth(1).waitFor();
  await note(page);
  const killed = Date.now();
  await kill();
  await page.locator("p.away").waitFor();
  assert.equal(await page.locator(".chip", { hasText: "v1" }).count(), 2, "it has lost what it had");
  const faults = await axeFaults(page);
  const there = await again();
  await page.waitForFunction(() => window.seen?.back);
  const seen = await page.evaluate(() => window.seen);
  await apply({ guid, version: "v2", strategy: quickly }, "--wait");
  await page.locator(".chip.new", { hasText: "v2" }).nth(1).waitFor();
  assert.ok(await page.evaluate(() => !!window.seen?.back), "it was loaded anew");
  assert.deepEqual(faults, []);
  return { away: seen.away - killed, there: there - killed, back: seen.back - killed };
}

function judge(what, { away, there, back }) {
  console.log(`${what}: away after ${away} ms, back after ${back} ms, ${back - there} ms after it was there again`);
  assert.ok(away <= kSaysItWithin, `it says so after ${away} ms`);
  assert.ok(back - there <= kGoesOnWithin, `it goes on after ${back - there} ms`);
}

export async function a_leader_that_is_killed_is_missed_and_the_next_one_is_followed() {
  const guid = name("led");
  await apply({ guid, version: "v1", strategy: quickly }, "--wait");
  const { leader } = await me();
  const batonds = options.batonds.split(",").map((words) => words.split("="));
  const [, , pid] = batonds.find(([address]) => address === leader);
  const [[, metrics]] = batonds.filter(([address]) => address !== leader);
  const leads = async () => {
    while (!/^baton_leading 1$/m.test(await (await fetch(`http://${metrics}/metrics`)).text())) await pause(20);
    return Date.now();
  };
  await withPage(async (page, go) => {
    judge("the leader was killed", await lose(page, go, guid, () => process.kill(Number(pid), "SIGKILL"), leads));
  });
}

export async function a_baton_web_that_is_killed_is_missed_and_found_again() {
  const guid = name("page-lost");
  await apply({ guid, version: "v1", strategy: quickly }, "--wait");
  await withOwnPage({ more: ["--loopback-role", "operator"] }, (own) => withPage(async (page, go) => {
    const again = async () => (await own.run(), Date.now());
    judge("baton-web was killed", await lose(page, go, guid, () => own.end("SIGKILL"), again));
  }, { base: own.url, gone: true }));
}
