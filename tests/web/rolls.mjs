// Rolls as an operator sees and steers them.
import assert from "node:assert/strict";
import { act, action, agree, dialog, held, lasting, quickly, rollWord, slowly } from "./acting.mjs";
import { recorded, withPage } from "./browser.mjs";
import { undoAHeldRoll } from "./held_roll.mjs";
import { apply, baton, call, name } from "./stack.mjs";
import { filesOf } from "./zip.mjs";

export async function slots_go_from_old_to_new_on_screen() {
  const guid = name("watched");
  await apply({ guid, version: "v1", strategy: quickly }, "--wait");
  await withPage(async (page, go) => {
    await go("/apps/" + guid);
    await page.locator(".chip", { hasText: "v1" }).nth(1).waitFor();
    await page.evaluate(() => (document.querySelector(".slots").dataset.same = "yes"));
    await apply({ guid, version: "v2", strategy: { ...quickly, min_healthy_time: "1500ms" } });
    // Both at once in one slot, the old one still serving.
    await page.locator(".slot").filter({ has: page.locator(".chip.old", { hasText: "v1" }) }).filter({ has: page.locator(".chip.new", { hasText: "v2" }) }).first().waitFor();
    await rollWord(page, "completed");
    await page.locator(".chip", { hasText: "v1" }).waitFor({ state: "detached" });
    assert.equal(await page.locator(".chip.new", { hasText: "v2" }).count(), 2);
    assert.equal(await page.locator(".slots").getAttribute("data-same"), "yes", "the slots were mounted anew");
    assert.match(await page.locator("[aria-live=polite]").last().textContent(), /completed/);
  });
}

export async function a_held_roll_is_found_understood_and_undone_by_clicks_alone() {
  const guid = name("stuck");
  await held(guid);
  await withPage((page, go) => undoAHeldRoll(page, go, guid), { record: "held-roll" });
  assert.match(JSON.stringify(await call("Rolls/GetRoll", { process_guid: guid, with_steps: true })), /it crashes/, "the reason is not in the history");
  const frames = filesOf(recorded("held-roll")).filter((file) => /\.jpeg$/.test(file));
  assert.ok(frames.length >= 5, `${frames.length} pictures are recorded`);
}

export async function a_cancel_says_what_it_will_do_and_wants_the_name() {
  const guid = name("asked");
  await held(guid);
  await withPage(async (page, go) => {
    await go("/apps/" + guid);
    await page.getByRole("button", { name: "Cancel the roll" }).click();
    await dialog(page).locator(".forecast, p.dim").filter({ hasText: /Nothing is started|never below|No forecast/ }).waitFor();
    const go_on = agree(page);
    assert.ok(await go_on.isDisabled(), "without the name");
    await dialog(page).getByLabel(/^Type/).fill(guid + "x");
    assert.ok(await go_on.isDisabled(), "with a wrong name");
    await dialog(page).getByRole("button", { name: "Leave it" }).click();
    await dialog(page).waitFor({ state: "detached" });
    assert.equal((await call("Rolls/GetRoll", { process_guid: guid })).roll.state, "HELD");
  });
}

export async function pause_and_resume() {
  const guid = name("paused");
  await apply({ guid, version: "v1", strategy: quickly }, "--wait");
  await apply({ guid, version: "v2", strategy: lasting });
  await withPage(async (page, go) => {
    await go("/apps/" + guid);
    const toCome = page.locator(".timeline .ahead").first();
    await toCome.waitFor();
    await page.getByText(/of the open roll, about .* to go/).waitFor();
    await act(page, "Pause", { reason: "lunch" });
    await rollWord(page, "paused");
    await toCome.waitFor({ state: "detached" }); // nobody knows until when
    await act(page, "Resume");
    await rollWord(page, "rolling");
  });
}

export async function a_stage_is_promoted() {
  const guid = name("staged");
  await apply({ guid, version: "v1", strategy: quickly }, "--wait");
  await apply({ guid, version: "v2", strategy: { ...quickly, stages: [{ instances: 1, promotion: true }] } });
  await withPage(async (page, go) => {
    await go("/apps/" + guid);
    await page.locator(".stages .at").waitFor();
    await act(page, "Promote");
    await rollWord(page, "completed");
  });
}

export async function a_roll_that_changed_meanwhile_is_not_cancelled() {
  const guid = name("raced");
  await held(guid);
  await withPage(async (page, go) => {
    await go("/apps/" + guid);
    await page.getByRole("button", { name: "Cancel the roll" }).click();
    await dialog(page).getByLabel(/^Type/).fill(guid);
    await apply({ guid, version: "v3", strategy: slowly }); // somebody else, while the dialog is open
    await agree(page).click();
    await dialog(page).getByRole("alert").filter({ hasText: "Somebody changed it meanwhile" }).waitFor();
    const { roll } = await call("Rolls/GetRoll", { process_guid: guid });
    assert.equal(roll.target_definition, "v3");
    assert.notEqual(roll.state, "ROLLING_BACK");
  });
}

export async function an_app_that_was_rolled_meanwhile_is_not_undone() {
  const guid = name("undo-raced");
  await apply({ guid, version: "v1", strategy: quickly }, "--wait");
  await apply({ guid, version: "v2", strategy: quickly }, "--wait");
  await withPage(async (page, go) => {
    await go("/apps/" + guid);
    await action(page, "Undo").click();
    await dialog(page).getByLabel(/^Type/).fill(guid);
    await apply({ guid, version: "v3", strategy: quickly }, "--wait"); // somebody else, while the dialog is open
    await agree(page).click();
    await dialog(page).getByRole("alert").filter({ hasText: /Somebody changed it meanwhile, and nothing was done.*v2 → v3/ }).waitFor();
    const { roll } = await call("Rolls/GetRoll", { process_guid: guid });
    assert.deepEqual([roll.source_definition, roll.target_definition], ["v2", "v3"]);
  });
}

export async function an_app_is_undone_from_its_page() {
  const guid = name("undone");
  await apply({ guid, version: "v1", strategy: quickly }, "--wait");
  await apply({ guid, version: "v2", strategy: quickly }, "--wait");
  await withPage(async (page, go) => {
    await go("/apps/" + guid);
    await act(page, "Undo", { type: guid, reason: "v1 was better" });
    await page.locator(".rollhead .new", { hasText: "v1" }).waitFor();
    await rollWord(page, "completed");
  });
}

export async function a_finished_roll_is_replayed() {
  const guid = name("replayed");
  await apply({ guid, version: "v1", strategy: quickly }, "--wait");
  await withPage(async (page, go) => {
    await go("/rolls?guid=" + guid);
    await page.getByRole("link", { name: /v1/ }).first().click();
    await page.waitForURL(/\/rolls\/[0-9a-f-]{36}/);
    await page.locator(".timeline .dot").first().waitFor();
    await page.locator("table", { hasText: "2 of 2 slots run v1" }).waitFor();
  });
}

export async function the_fleet_follows_an_app_that_comes_and_goes() {
  const guid = name("comes");
  await withPage(async (page, go) => {
    await go("/?q=" + guid);
    await page.getByText("No app fits this filter").waitFor();
    await apply({ guid, version: "v1" });
    await page.getByRole("link", { name: guid, exact: true }).first().waitFor();
    await page.locator("tr", { hasText: guid }).getByText("2 / 2").waitFor();
    await baton(["delete", guid]);
    await page.getByText("No app fits this filter").waitFor();
  });
}

