// What an operator does beside rolls: cells, definitions, instances, and an admin's scaling.
import assert from "node:assert/strict";
import { act, action, agree, dialog, quickly } from "./acting.mjs";
import { withPage } from "./browser.mjs";
import { withOwnPage } from "./own_page.mjs";
import { apply, name, rowsOf, until } from "./stack.mjs";

const instances = async (guid) => (await rowsOf("ActualLRPs/ListActualLRPs", { process_guid: guid })).flatMap((page) => page.actual_lrps);

export async function a_definition_is_pinned_and_retired() {
  const guid = name("kept");
  await apply({ guid, version: "v1", strategy: quickly }, "--wait");
  await apply({ guid, version: "v2", strategy: quickly }, "--wait");
  const before = (await instances(guid)).map((lrp) => lrp.actual_id);
  await withPage(async (page, go) => {
    await go(`/apps/${guid}/definitions`);
    const row = (version) => page.getByRole("row").filter({ has: page.getByRole("checkbox", { name: "compare " + version }) });
    const press = async (version, button, type) => {
      await row(version).getByRole("button", { name: button, exact: true }).click();
      if (type) {
        assert.ok(await agree(page).isDisabled(), button + " without the name");
        await dialog(page).getByLabel(/^Type/).fill(type);
      }
      await agree(page).click();
      await dialog(page).waitFor({ state: "detached" });
    };
    await press("v1", "Pin");
    await row("v1").getByText("pinned").waitFor();
    await press("v1", "Unpin");
    await row("v1").getByRole("button", { name: "Pin", exact: true }).waitFor();
    assert.equal(await row("v1").getByRole("button", { name: "Retire" }).count(), 0, "nothing runs v1");
    await press("v2", "Retire", guid);
    await until("both instances are others", async () => {
      const now = (await instances(guid)).map((lrp) => lrp.actual_id);
      return now.length === 2 && !now.some((id) => before.includes(id));
    });
    await go("/apps/" + guid);
    await page.locator(".chip.new.filled", { hasText: "v2" }).nth(1).waitFor();
  });
}

export async function an_app_is_scaled_and_to_nothing_only_by_its_name() {
  const guid = name("scaled");
  await apply({ guid, version: "v1", strategy: quickly }, "--wait");
  await withOwnPage({ more: ["--loopback-role", "admin"] }, ({ url }) => withPage(async (page, go) => {
    await go("/apps/" + guid);
    await act(page, "Scale", { number: 3 });
    await page.locator(".apphead").getByText(/· 3 of 3 served ·/).waitFor();
    await action(page, "Scale").click();
    await dialog(page).getByLabel("Instances").fill("0");
    assert.ok(await agree(page).isDisabled(), "to 0 without the name");
    await dialog(page).getByLabel(/^Type/).fill(guid);
    await agree(page).click();
    await page.getByText("It wants no instances, and none is there.").waitFor();
  }, { base: url }));
}

// Alone: what other tests look at would move.
export async function a_cell_is_drained_and_taken_back() {
  const guid = name("drained");
  await apply({ guid, version: "v1", strategy: { ...quickly, drain_timeout: "1s" } }, "--wait");
  const cells = async () => (await instances(guid)).map((lrp) => lrp.instance_key.cell_id).sort();
  const [first, second] = await cells();
  assert.notEqual(first, second);
  await withPage(async (page, go) => {
    await go("/cells");
    await page.getByRole("link", { name: first, exact: true }).click();
    await page.locator("tr", { hasText: guid }).waitFor();
    await page.getByRole("button", { name: "Drain", exact: true }).click();
    await dialog(page).getByText(/goes? elsewhere, each replaced before it is stopped/).waitFor();
    assert.ok(await agree(page).isDisabled(), "without the name");
    await dialog(page).getByLabel(/^Type/).fill(first);
    await agree(page).click();
    await page.locator("h1 .badge", { hasText: "drains" }).waitFor();
    await page.getByText("Nothing runs on it.").waitFor();
    assert.deepEqual(await cells(), [second, second]);
    await page.getByRole("button", { name: "Undrain" }).click();
    await agree(page).click();
    await page.locator("h1 .badge", { hasText: "present" }).waitFor();
    await page.getByRole("button", { name: "Drain", exact: true }).waitFor();
  });
}
