// What is done by clicks and keys: cancel, pause, resume, promote, and what happens when somebody was faster.
import { must, until } from "./browser.mjs";

const dialog = (tab) => tab.locator("dialog[open]");
const badge = (tab) => tab.locator(".rollhead .badge");
const comesTo = (tab, word, seconds = 20) => until(async () => (await badge(tab).innerText()) === word || (await tab.locator(".rollhead").innerText()), "the roll comes to " + word, seconds);

// One action, and nothing but clicks and what has to be typed.
async function act(tab, button, { typed = "", reason = "" } = {}) {
  await tab.locator(".apphead").getByRole("button", { name: button, exact: true }).click();
  await dialog(tab).waitFor();
  if (reason) await dialog(tab).getByLabel("Reason").fill(reason);
  if (typed) {
    must(await dialog(tab).getByRole("button", { name: button, exact: true }).isDisabled(), button + " waits until the name is typed");
    await dialog(tab).getByLabel(/^Type/).fill(typed);
  }
  await dialog(tab).getByRole("button", { name: button, exact: true }).click();
  await dialog(tab).waitFor({ state: "detached" });
}

export async function heldRollIsFoundAndCancelled({ browser, stack, guid }) {
  const name = guid("held");
  const tab = await browser.tab(stack.page + "/");
  await tab.locator(".number.bad", { hasText: "held" }).click();
  await tab.locator("table.apps tbody tr", { hasText: name }).click();
  await tab.waitForURL("**/apps/" + name);
  const reason = tab.locator(".rollhead .reason");
  await reason.waitFor();
  must(/crash|fail/i.test(await reason.innerText()), "it says why it is held: " + (await reason.innerText()));
  await tab.locator(".apphead").getByRole("button", { name: "Cancel the roll" }).click();
  await dialog(tab).getByText(/never below \d served/).waitFor();
  await dialog(tab).getByRole("button", { name: "Leave it" }).click();
  must((await badge(tab).innerText()) === "held", "leaving the dialog changes nothing");
  await act(tab, "Cancel the roll", { typed: name, reason: "it crashes" });
  await comesTo(tab, "rolled back");
  await until(async () => (await tab.locator(".chip").allInnerTexts()).every((text) => text.startsWith("v1") && text.includes("ready")), "all slots are v1 again");
  must((await tab.getByRole("region", { name: "Steps" }).innerText()).includes("it crashes"), "the reason is in the history");
  await tab.context().close();
}

export async function pauseResumePromote({ browser, stack, guid }) {
  const tab = await browser.tab(`${stack.page}/apps/${guid("stage")}`);
  await tab.locator(".chip.filled").first().waitFor();
  await stack.apply("stage", "v2", { instances: 4, strategy: { stages: [{ instances: 1, promotion: true }] } });
  await comesTo(tab, "paused");
  must((await tab.locator(".stages .at").innerText()).includes("until promoted"), "the stage is shown");
  must((await tab.locator("main").innerText()).includes("promot"), "it says what it waits for");
  await act(tab, "Pause", { reason: "lunch" });
  await tab.locator(".apphead").getByRole("button", { name: "Resume" }).waitFor();
  await act(tab, "Promote");
  await until(async () => (await tab.locator(".stages .done").count()) === 1, "the stage is passed");
  must((await badge(tab).innerText()) === "paused", "it is still paused by hand");
  await act(tab, "Resume");
  await comesTo(tab, "completed");
  await tab.context().close();
}

export async function somebodyWasFaster({ browser, stack, guid }) {
  const name = guid("conflict");
  const tab = await browser.tab(`${stack.page}/apps/${name}`, { expects: /409 \(Conflict\)/ });
  await comesTo(tab, "held");
  await tab.locator(".apphead").getByRole("button", { name: "Cancel the roll" }).click();
  await dialog(tab).getByLabel(/^Type/).fill(name);
  await stack.apply("conflict", "v3", { instances: 2 });
  await dialog(tab).getByRole("button", { name: "Cancel the roll" }).click();
  await dialog(tab).getByRole("alert").waitFor();
  const said = await dialog(tab).getByRole("alert").innerText();
  must(said.includes("Somebody changed it meanwhile"), "it says that somebody was faster: " + said);
  await dialog(tab).getByRole("button", { name: "Leave it" }).click();
  await comesTo(tab, "completed");
  must((await tab.locator(".chip").allInnerTexts()).every((text) => text.startsWith("v3")), "the other's roll was not cancelled");
  await tab.context().close();
}

export async function keyboardIsEnough({ browser, stack, guid }) {
  const name = guid("keys");
  const tab = await browser.tab(stack.page + "/");
  const keys = tab.keyboard;
  const focused = () => tab.evaluate(() => document.activeElement?.id || document.activeElement?.tagName);
  await tab.locator("table.apps tbody tr").first().waitFor();
  await keys.press("?");
  await tab.getByRole("dialog", { name: "Keys" }).waitFor();
  await keys.press("Escape");
  await tab.getByRole("dialog", { name: "Keys" }).waitFor({ state: "detached" });
  await keys.press("/");
  must((await focused()) === "filter", "/ goes to the filter");
  await keys.type(name);
  await until(async () => (await tab.locator("table.apps tbody tr").count()) === 1, "one row is left");
  await keys.press("Enter"); // from the filter to the list
  await tab.locator("table.apps tr.on").waitFor();
  await keys.press("Enter");
  await tab.waitForURL("**/apps/" + name);
  await tab.locator(".chip.filled").first().waitFor();
  await stack.apply("keys", "v2", { instances: 4, strategy: { min_healthy_time: "1500ms" } });
  await comesTo(tab, "rolling");
  await keys.press("p");
  await dialog(tab).waitFor();
  must((await tab.evaluate(() => document.activeElement?.closest("dialog") !== null)), "the focus is in the dialog");
  await keys.type("by keys");
  await keys.press("Enter");
  await comesTo(tab, "paused");
  await keys.press("p");
  await dialog(tab).waitFor();
  await keys.press("Escape");
  await dialog(tab).waitFor({ state: "detached" });
  must((await badge(tab).innerText()) === "paused", "Escape leaves it");
  await keys.press("p");
  await dialog(tab).waitFor();
  await keys.press("Enter");
  await comesTo(tab, "completed");
  must((await tab.getByRole("region", { name: "Steps" }).innerText()).includes("by keys"), "the reason that was typed is kept");
  // Whatever Tab reaches shows that it is reached.
  const ring = await tab.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  await keys.press("Tab");
  must((await tab.evaluate(() => getComputedStyle(document.activeElement).outlineStyle)) !== "none", "focus is visible, and was " + ring);
  await keys.press("g");
  await tab.waitForURL(stack.page + "/");
  await tab.context().close();
}
