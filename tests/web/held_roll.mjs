// The way of somebody who is called at night: that something is held is found on the first screen, why it is stands on the second,
// and two clicks undo it. Walked by the test, which is recorded, and for the picture of the guide.
import assert from "node:assert/strict";
import { action, agree, dialog, rollWord } from "./acting.mjs";

// `seen` is told what is on the screen, and what is clicked next.
export async function undoAHeldRoll(page, go, guid, seen = async () => {}) {
  const click = async (what, target) => {
    await seen(what, target);
    await target.click();
  };
  await go("/");
  const number = page.locator(".number", { hasText: "held" });
  await number.locator("b").filter({ hasText: /^[1-9]/ }).waitFor();
  await click("fleet", number);
  await page.waitForURL(/q=held/);
  const row = page.locator("tr", { hasText: guid });
  await row.locator(".badge", { hasText: "held" }).waitFor();
  await click("filtered", row.getByRole("link", { name: guid, exact: true }));

  await rollWord(page, "held");
  const [from, to] = [await page.locator(".rollhead .old").textContent(), await page.locator(".rollhead .new").textContent()];
  assert.match(await page.locator(".rollhead .reason").textContent(), /bad|fail/i);
  await page.locator(".waits").first().waitFor();
  await page.locator(".chip", { hasText: /\d+ sessions?/ }).first().waitFor(); // what the router says of an app whose roll is open
  assert.ok((await page.locator(".waits").first().textContent()).length > 20, "no sentence");

  await click("held", action(page, "Cancel the roll"));
  await dialog(page).locator(".forecast").filter({ hasText: /Nothing is started anew|never below/ }).waitFor();
  await dialog(page).getByLabel(/Reason/).fill("it crashes");
  await dialog(page).getByLabel(/^Type/).fill(guid);
  await click("asked", agree(page));
  await rollWord(page, "rolled back");
  await page.locator(".chip", { hasText: to }).waitFor({ state: "detached" });
  assert.equal(await page.locator(".chip", { hasText: from }).count(), await page.locator(".slot").count());
  await seen("undone");
}
