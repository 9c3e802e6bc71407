// What is seen: apps, rolls slot by slot, definitions, the plan of a file.
import { must, until } from "./browser.mjs";
import { appFile } from "./stack.mjs";

export async function fleetShowsApps({ browser, stack, guids }) {
  const tab = await browser.tab(stack.page + "/?q=" + stack.suffix);
  const names = () => tab.locator("table.apps tbody td.name").allInnerTexts();
  await until(async () => (await names()).length === guids.length || names(), "every app has a row");
  must(guids.every((guid) => tab.getByRole("link", { name: guid })), "each app is a link");
  const row = tab.locator("table.apps tbody tr", { hasText: guids[0] });
  must(/\d \/ \d/.test(await row.innerText()), "a row says how many slots are served: " + (await row.innerText()));
  must(Number(await tab.locator(".number", { hasText: /^\d+apps/ }).locator("b").innerText()) >= guids.length, "the first number counts apps");
  // The filter is in the address.
  await tab.getByRole("searchbox").fill(guids[1]);
  await until(async () => (await names()).join() === guids[1] || names(), "the filter leaves one app");
  must(tab.url().endsWith("?q=" + guids[1]), "the filter is in the address: " + tab.url());
  await tab.context().close();
}

export async function rollIsWatched({ browser, stack, guid }) {
  const tab = await browser.tab(`${stack.page}/apps/${guid("roll")}`);
  const chips = tab.locator(".chip");
  await until(async () => (await tab.locator(".chip.filled").count()) === 3 || (await chips.allInnerTexts()), "three slots are ready");
  must((await chips.allInnerTexts()).every((text) => text.startsWith("v1")), "all run v1");
  // Every state of the slots on the screen, in order, as the tab itself sees it.
  await tab.evaluate(() => {
    window.seen = [];
    const look = () => {
      const now = [...document.querySelectorAll(".slot")].map((slot) => [...slot.querySelectorAll(".chip")].map((c) => (c.classList.contains("new") ? "N" : "O") + (c.classList.contains("filled") ? "+" : "-")).join("")).join(" ");
      if (window.seen.at(-1) !== now) window.seen.push(now);
      if (document.querySelector(".slot.unserved")) window.seen.push("UNSERVED");
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  });
  await stack.apply("roll", "v2");
  await tab.locator(".rollhead.open").waitFor();
  await until(async () => (await tab.locator(".rollhead .badge").innerText()) === "completed" || (await tab.locator(".rollhead").innerText()), "the roll completes on the screen", 25);
  await until(async () => (await chips.allInnerTexts()).every((text) => text.startsWith("v2") && text.includes("ready")) || (await chips.allInnerTexts()), "all run v2");
  const seen = await tab.evaluate(() => window.seen);
  must(seen.some((now) => /O\+N/.test(now)), "a newcomer beside the old one was shown: " + seen.join(" | "));
  must(!seen.includes("UNSERVED"), "no slot was ever shown as not served: " + seen.join(" | "));
  const steps = await tab.locator(".timeline rect.seg").count();
  must(steps >= 9, "the timeline has surge, hand over and drain of three slots: " + steps);
  await tab.locator(".timeline g[role=img]").first().focus();
  must(/slot \d: /.test(await tab.locator(".shown").innerText()), "a focused step is told");
  // The same roll from the list of rolls.
  await tab.getByRole("link", { name: "rolls", exact: true }).click();
  await tab.locator("table.plain tbody tr", { hasText: "v1 → v2" }).getByRole("link", { name: "v1 → v2" }).click();
  await tab.getByRole("heading", { name: /Roll of/ }).waitFor();
  await until(async () => (await tab.locator(".timeline rect.seg").count()) === steps || (await tab.locator(".timeline rect.seg").count()), "it is replayed with as many steps");
  await tab.context().close();
}

export async function definitionsDiffer({ browser, stack, guid }) {
  const tab = await browser.tab(`${stack.page}/apps/${guid("two")}/definitions`);
  const field = tab.locator("section.card table tbody tr", { hasText: "memory" });
  await field.waitFor();
  const text = await field.innerText();
  must(text.includes("16") && text.includes("24"), "the memory of both is shown: " + text);
  must(!(await tab.locator("section.card").innerText()).includes("start_timeout"), "what is the same is not shown");
  await tab.context().close();
}

const file = (stack, version, more) => appFile({ guid: stack.guid("plan"), version, hello: stack.hello, ...more });

export async function planIsSeenAndApplied({ browser, stack, guid }) {
  const expects = /400 \(Bad Request\)/;
  const operator = await browser.tab(stack.page + "/plan", { expects });
  const see = (tab) => tab.getByRole("button", { name: "See what it would do" });
  await operator.getByRole("textbox").fill("guid: x\ninstances: many\n");
  await see(operator).click();
  await until(async () => /line 2, column \d+: /.test(await operator.locator("[role=alert]").first().innerText()), "a fault is told with its line");
  await operator.getByRole("textbox").fill(file(stack, "v2", { env: { GREETING: "hi" } }));
  await see(operator).click();
  await operator.getByText("never below 3 served").waitFor();
  must((await operator.locator(".timeline rect.seg.ahead").count()) >= 6, "the forecast is on the timeline");
  must((await operator.locator("section.card table").innerText()).includes("v2"), "changes are shown field by field");
  must((await operator.getByRole("button", { name: "Apply this plan" }).count()) === 0, "an operator cannot apply");
  await operator.context().close();

  const admin = await browser.tab((await stack.pageOf("admin")).url + "/plan", { expects });
  await admin.getByRole("textbox").fill(file(stack, "v2"));
  await see(admin).click();
  await admin.getByRole("button", { name: "Apply this plan" }).click();
  await admin.waitForURL("**/apps/" + guid("plan"));
  await until(async () => (await admin.locator(".rollhead .badge").innerText()) === "completed" || (await admin.locator(".rollhead").innerText()), "what was planned is rolled", 25);
  await admin.context().close();
}
