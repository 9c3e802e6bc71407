// Apps that are not the usual ones: several ports and a TCP route, and more slots than a screen has room for.
import assert from "node:assert/strict";
import { quickly, rollWord } from "./acting.mjs";
import { axeFaults, withPage } from "./browser.mjs";
import { apply, name } from "./stack.mjs";

const kSlots = 320;

export async function an_app_with_two_ports_and_a_tcp_route_is_rolled_on_screen() {
  const guid = name("ports");
  const tcp = 20000 + Math.floor(Math.random() * 10000); // the stack's router serves none: it is a route all the same
  const routes = {
    "cf-router": [{ hostnames: [guid + ".example"], port: 8080 }, { hostnames: [guid + "-admin.example"], port: 9090 }],
    "tcp-router": [{ external_port: tcp, container_port: 9090 }],
  };
  const app = { guid, ports: [8080, 9090], routes, strategy: quickly };
  await apply({ ...app, version: "v1" }, "--wait");
  await withPage(async (page, go) => {
    await go("/apps/" + guid);
    const route = (words, served) => page.getByRole("row", { name: words + " 2 / 2 " + served + " × 2", exact: true }).waitFor();
    const all = async (version) => {
      await route(`${guid}.example port 8080`, version);
      await route(`${guid}-admin.example port 9090`, version);
      await route(`tcp:${tcp} port 9090`, version);
    };
    await all("v1");
    await apply({ ...app, version: "v2" });
    await page.locator(".rollhead .new", { hasText: "v2" }).waitFor();
    await rollWord(page, "completed");
    await all("v2");
    assert.equal(await page.locator(".alarm").count(), 0);
  });
}

// None of them is placed, so none is a process; each has its slot, its steps, and its reason.
export async function hundreds_of_slots_are_all_there_and_their_lanes_are_paged() {
  const guid = name("large");
  await apply({ guid, version: "v1", instances: kSlots, tags: ["of-no-cell"] });
  await withPage(async (page, go) => {
    await go("/apps/" + guid);
    await page.locator(".slot").nth(kSlots - 1).waitFor();
    assert.equal(await page.locator(".slot").count(), kSlots);
    const pages = page.getByRole("group", { name: "Slots of the timeline" });
    const lanes = () => page.locator(".timeline svg text").filter({ hasText: /^slot / }).allTextContents();
    await pages.getByText(/, and 260 more$/).waitFor();
    const seen = new Set();
    const [before, after] = [pages.getByRole("button", { name: "Slots before" }), pages.getByRole("button", { name: "Slots after" })];
    while (await before.isEnabled()) await before.click();
    for (;;) {
      for (const lane of await lanes()) seen.add(lane);
      if (await after.isDisabled()) break;
      const [first] = await lanes();
      await after.click();
      await page.locator(".timeline svg text").first().filter({ hasNotText: new RegExp(`^${first}$`) }).waitFor();
    }
    assert.equal(seen.size, kSlots);
    await pages.getByText(`slots 300 to ${kSlots - 1}, and 300 more`).waitFor();
    assert.deepEqual(await axeFaults(page), []);
  }, { still: true });
}
