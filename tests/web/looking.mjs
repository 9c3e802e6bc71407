// What is seen on each screen: plan, definitions, keyboard, narrow, dark, axe.
import assert from "node:assert/strict";
import { held } from "./acting.mjs";
import { axeFaults, withPage } from "./browser.mjs";
import { withOwnPage } from "./own_page.mjs";
import { apply, appFile, call, name } from "./stack.mjs";

const rolled = async (guid) => {
  await apply({ guid, version: "v1" }, "--wait");
  await apply({ guid, version: "v2" }, "--wait");
};
const shown = (page) => page.locator("main table tbody tr, main textarea").first().waitFor();

// Lists of this app alone: axe looks at each cell, and other tests fill them.
async function eachScreen(guid, seen) {
  const cell = async (page) => page.locator("a[href^='/cells/']").first().getAttribute("href");
  return async (page, go) => {
    const { roll } = await call("Rolls/GetRoll", { process_guid: guid });
    for (const path of ["/?q=" + guid, "/apps/" + guid, `/apps/${guid}/definitions`, "/rolls?guid=" + guid, "/rolls/" + roll.roll_id, "/events?guid=" + guid, "/plan", "/system", "/cells"]) {
      await go(path);
      await shown(page);
      await seen(page, path);
    }
    await go(await cell(page));
    await page.locator("main .card").first().waitFor();
    await seen(page, "/cells/ID");
  };
}

async function axeEverywhere(guid, how) {
  await rolled(guid);
  await withPage(await eachScreen(guid, async (page, path) => assert.deepEqual(await axeFaults(page), [], path)), { still: true, ...how });
}
export const axe_finds_nothing_serious = () => axeEverywhere(name("axe"), {});
export const axe_finds_nothing_serious_in_the_dark = () => axeEverywhere(name("axe-dark"), { dark: true });

export async function a_dialog_passes_axe() {
  const guid = name("dialogs");
  await rolled(guid);
  const asked = async (page, go) => {
    await go("/apps/" + guid);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("dialog").locator(".forecast, p.dim").filter({ hasText: /Nothing is started|never below|No forecast/ }).waitFor();
    assert.deepEqual(await axeFaults(page), []);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    assert.deepEqual(await axeFaults(page), []);
  };
  await withPage(asked, { still: true });
  await withPage(asked, { still: true, dark: true });
}

export async function what_is_amiss_passes_axe() {
  const guid = name("amiss");
  await held(guid);
  const amiss = async (page, go) => {
    await go("/apps/" + guid);
    await page.locator(".rollhead .reason").waitFor();
    await page.locator(".waits").first().waitFor();
    assert.deepEqual(await axeFaults(page), [], "app");
    await go("/?q=" + guid);
    await page.locator("tr .badge.bad", { hasText: "held" }).waitFor();
    assert.deepEqual(await axeFaults(page), [], "fleet");
    await go("/apps/no-such-app");
    await page.getByText("There is no such app").waitFor();
    assert.deepEqual(await axeFaults(page), [], "no app");
  };
  await withPage(amiss, { still: true });
  await withPage(amiss, { still: true, dark: true });
}

export async function nothing_is_wider_than_360_pixels() {
  const guid = name("narrow");
  await rolled(guid);
  const seen = async (page, path) => {
    const [wide, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(wide <= window, `${path} is ${wide} wide in a window of ${window}`);
  };
  await withPage(await eachScreen(guid, seen), { width: 360, height: 740 });
}

export async function colours_follow_the_system_and_the_switch() {
  const back = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await withPage(async (page, go) => {
    await go("/");
    const dark = await back(page);
    assert.equal(dark, "rgb(22, 24, 27)");
    const button = page.getByRole("button", { name: /^Colours/ });
    await button.click(); // dark
    await button.click(); // light
    const light = await back(page);
    assert.notEqual(light, dark);
    await go("/system");
    assert.equal(await back(page), light, "the choice is not remembered");
  }, { dark: true });
}

export async function an_app_is_reached_and_steered_by_keyboard() {
  const guid = name("keys");
  await apply({ guid, version: "v1" }, "--wait");
  await apply({ guid, version: "v2", strategy: { min_healthy_time: "20s" } });
  await withPage(async (page, go) => {
    await go("/");
    await page.locator("main .number").first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type(guid);
    await page.locator("tbody tr", { hasText: guid }).waitFor();
    await page.getByRole("status").filter({ hasText: "1 app" }).waitFor();
    await page.keyboard.press("Enter"); // out of the box, onto the rows
    await page.keyboard.press("j");
    await page.locator("tr.on", { hasText: guid }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/apps/" + guid);
    await page.locator(".rollhead").waitFor();
    await page.keyboard.press("p");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.type("by keyboard"); // the reason has the focus
    await page.keyboard.press("Enter");
    await page.locator(".rollhead .badge", { hasText: "paused" }).waitFor();
    await page.keyboard.press("g");
    await page.waitForURL(/\/$/);
  });
}

export async function two_definitions_are_told_apart_field_by_field() {
  const guid = name("differs");
  await apply({ guid, version: "v1" }, "--wait");
  await apply({ guid, version: "v2", memory: "48MiB" }, "--wait");
  await withPage(async (page, go) => {
    await go(`/apps/${guid}/definitions`);
    const fields = page.getByRole("region", { name: "Fields that differ" });
    await fields.waitFor();
    assert.match(await fields.textContent(), /memory_mb32\s*48/);
    assert.ok(!(await fields.textContent()).includes("redacted"));
    await page.getByText("Not shown, and perhaps different: environment variables VERSION").waitFor();
    assert.equal(await page.getByRole("checkbox", { checked: true }).count(), 2);
  });
}

export async function a_plan_shows_changes_and_a_forecast() {
  const guid = name("planned");
  await apply({ guid, version: "v1" }, "--wait");
  await withPage(async (page, go) => {
    await go("/plan");
    await page.getByRole("textbox").fill("guid: [");
    await page.getByRole("button", { name: /See what/ }).click();
    await page.getByRole("alert").filter({ hasText: /line 1/ }).waitFor();
    await planned(page, { guid, version: "v2" });
    await page.getByText(/never below 2 served/).waitFor();
    await page.getByText("Applying it takes the role admin").waitFor();
    assert.equal(await page.getByRole("button", { name: "Apply" }).count(), 0);
  });
}

async function planned(page, app) {
  await page.getByRole("textbox").fill(appFile(app));
  await page.getByRole("button", { name: /See what/ }).click();
  await page.locator(".timeline .ahead").first().waitFor();
}

export async function a_plan_is_applied_as_it_was_planned_or_not_at_all() {
  const guid = name("applied");
  await apply({ guid, version: "v1" }, "--wait");
  await withOwnPage({ more: ["--loopback-role", "admin"] }, ({ url }) => withPage(async (page, go) => {
    const press = () => page.getByRole("button", { name: "Apply this plan" }).click();
    await go("/plan");
    await planned(page, { guid, version: "v2" });
    await apply({ guid, version: "v3" }, "--wait"); // somebody else, meanwhile
    await press();
    await page.getByRole("alert").filter({ hasText: "The app has changed since it was planned" }).waitFor();
    assert.equal((await call("Rolls/GetRoll", { process_guid: guid })).roll.target_definition, "v3");
    await planned(page, { guid, version: "v2" });
    await press();
    await page.waitForURL("**/apps/" + guid);
    await page.locator(".rollhead", { hasText: "v2" }).waitFor();
  }, { base: url }));
}

// Were it the window that scrolls, rows that are not there yet would never come.
export async function the_list_scrolls_within_the_window() {
  const guids = Array.from({ length: 15 }, (_, i) => name("listed-" + String.fromCharCode(97 + i)));
  await Promise.all(guids.map((guid) => apply({ guid, version: "v1", instances: 0 })));
  for (const [width, height] of [[1280, 500], [360, 500]]) {
    await withPage(async (page, go) => {
      await go("/?q=listed-&sort=guid");
      await page.getByRole("status").filter({ hasText: "15 apps" }).waitFor();
      const box = page.getByRole("region", { name: "Apps" });
      const [high, all] = await box.evaluate((element) => [element.clientHeight, element.scrollHeight]);
      assert.ok(high < all && high < height, `${high} of ${all} in ${height}`);
      await box.evaluate((element) => (element.scrollTop = element.scrollHeight));
      await page.locator("tr", { hasText: guids.at(-1) }).click();
      await page.waitForURL("**/apps/" + guids.at(-1));
    }, { width, height });
  }
}

export async function events_are_followed_and_stopped() {
  const guid = name("events");
  await apply({ guid, version: "v1" }, "--wait");
  await withPage(async (page, go) => {
    await go("/events?guid=" + guid);
    await page.locator("tbody tr").first().waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    const before = await page.locator("tbody tr").count();
    await apply({ guid, version: "v2" }, "--wait");
    assert.equal(await page.locator("tbody tr").count(), before, "paused, and still it goes on");
    await page.getByRole("button", { name: "Go on" }).click();
    await page.locator("tbody tr", { hasText: "v2" }).first().waitFor();
  });
}

export async function events_are_read_from_any_sequence_that_is_kept() {
  const guid = name("read");
  await rolled(guid);
  await withPage(async (page, go) => {
    const rows = page.locator("tbody tr");
    const sequences = async () => (await page.locator("tbody td:nth-child(2)").allTextContents()).map(Number);
    await go(`/events?guid=${guid}&from=0`);
    await rows.nth(5).waitFor();
    const all = await sequences();
    assert.deepEqual(all, [...all].sort((a, b) => a - b), "oldest first");
    assert.match(await rows.first().textContent(), /desired_created|definition/);
    await page.getByLabel("From sequence").fill(String(all[3]));
    await page.keyboard.press("Enter");
    await page.waitForURL(/from=\d{1,}/);
    await page.waitForFunction((first) => document.querySelector("tbody td:nth-child(2)")?.textContent === first, String(all[3]));
    assert.deepEqual(await sequences(), all.slice(3));
    await go(`/events?from=999999999999`);
    await page.getByRole("alert").filter({ hasText: "are not kept" }).waitFor();
    await page.getByRole("button", { name: "Follow" }).click();
    await page.getByRole("button", { name: "Pause" }).waitFor();
    await rows.first().waitFor();
  });
}

export async function who_looks_is_said() {
  await withPage(async (page, go) => {
    await go("/system");
    await page.locator("section", { hasText: "Who looks at this page" }).getByText(/loopback \(operator/).waitFor();
  });
}
