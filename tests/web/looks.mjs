// How the screens look to whom: narrow, dark, by a screen reader's rules, and for viewers; and a page whose server went.
import { axeFaults, must, screens, until } from "./browser.mjs";

async function eachScreen({ browser, stack, guid }, options, look) {
  const [roll] = await stack.rolls(guid("two"));
  const tab = await browser.tab(stack.page + "/", options);
  const faults = [];
  for (const [name, path] of Object.entries(screens(guid("two"), roll.roll_id, "cell-1"))) {
    await tab.evaluate((to) => (history.pushState(null, "", to), dispatchEvent(new PopStateEvent("popstate"))), path);
    await shown(tab, name);
    faults.push(...(await look(tab, name)).map((fault) => name + ": " + fault));
  }
  await tab.context().close();
  must(!faults.length, faults.join("; "));
}

// Until the screen shows what it is for.
const signs = {
  fleet: "table.apps tbody tr", app: ".chip", definitions: "main table tbody tr", rolls: "main table tbody tr", roll: ".timeline svg", cells: "main table tbody tr", cell: ".badge",
  events: "main table tbody tr", system: "main table tbody tr", plan: "textarea, main p",
};
export const shown = (tab, name) => tab.locator(signs[name]).first().waitFor();

export async function narrowIsNoWider(test) {
  await eachScreen(test, { width: 360, height: 700 }, async (tab) => {
    const wide = await tab.evaluate(() => {
      const all = document.documentElement.scrollWidth;
      if (all <= innerWidth) return null;
      const out = [...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.tagName + "." + e.className).slice(0, 4);
      return all + " px: " + out.join(" ");
    });
    return wide ? [wide] : [];
  });
}

export const axeLight = (test) => eachScreen(test, {}, axeFaults);
export const axeDark = (test) => eachScreen(test, { dark: true }, axeFaults);
export const axeNarrow = (test) => eachScreen(test, { width: 360, height: 700 }, axeFaults);

export async function darkIsKept({ browser, stack }) {
  const tab = await browser.tab(stack.page + "/", { dark: true });
  const bright = () => tab.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).reduce((a, b) => a + Number(b), 0) > 384);
  const button = tab.getByRole("button", { name: /^Colours/ });
  must(!(await bright()), "it is dark where the system is");
  await button.click(); // dark by hand
  await button.click();
  must(await bright(), "it is light by hand although the system is dark");
  await tab.reload();
  await button.waitFor();
  must(await bright(), "what was chosen is remembered");
  await button.click();
  must(!(await bright()), "and given back to the system");
  await tab.context().close();
}

export async function viewerSeesNoButtons({ browser, stack, guid }) {
  const page = await stack.pageOf("viewer");
  const name = guid("viewed");
  const tab = await browser.tab(page.url + "/apps/" + name, { expects: /403 \(Forbidden\)/ });
  await tab.locator(".rollhead .reason").waitFor();
  const buttons = async () => (await tab.locator("main button").allInnerTexts()).filter(Boolean);
  must((await buttons()).length === 0, "an app with a held roll has no button: " + (await buttons()));
  await tab.keyboard.press("p");
  for (const [screen, path, sign] of [["definitions", `/apps/${name}/definitions`, "main table tbody tr"], ["cell", "/cells/cell-1", ".badge"], ["system", "/system", "main table tbody tr"], ["rolls", "/rolls", "main table tbody tr"]]) {
    await tab.goto(page.url + path);
    await tab.locator(sign).first().waitFor();
    must((await buttons()).length === 0, screen + " has no button: " + (await buttons()));
  }
  must((await tab.getByRole("link", { name: "Plan" }).count()) === 0, "no screen is offered that he may not use");
  must((await tab.locator("dialog").count()) === 0, "no key opens a dialog");
  const status = await tab.evaluate((guid) => fetch("/api/baton.v2.Rolls/CancelRoll", { method: "POST", headers: { "Content-Type": "application/json", "Baton-Page": "1" }, body: JSON.stringify({ process_guid: guid }) }).then((r) => r.status), name);
  must(status === 403, "his own script is refused: " + status);
  await tab.context().close();
}

export async function serverGoesAndComes({ browser, stack, guid }) {
  const page = await stack.pageOf("operator");
  const tab = await browser.tab(page.url + "/apps/" + guid("two"), { expects: /net::ERR_|Failed to load resource/ });
  await tab.locator(".chip.filled").first().waitFor();
  await tab.evaluate(() => (window.kept = true));
  await page.end();
  await tab.getByText("baton-web does not answer").waitFor();
  must((await tab.locator(".chip.filled").count()) > 0, "what was there is still shown");
  await stack.pageOf("operator", page.port);
  await tab.getByText("baton-web does not answer").waitFor({ state: "detached" });
  await stack.apply("two", "v3", { instances: 1 });
  await until(async () => (await tab.locator(".chip").allInnerTexts()).join().includes("v3"), "it goes on with what is new");
  must(await tab.evaluate(() => window.kept), "without a reload");
  await tab.context().close();
}
