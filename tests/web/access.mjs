// Who may what, as the page draws it, and what a browser is allowed to do.
import assert from "node:assert/strict";
import { withPage } from "./browser.mjs";
import { options } from "./options.mjs";
import { apply, call, name } from "./stack.mjs";

export async function a_viewer_is_drawn_nothing_to_press() {
  const guid = name("viewer");
  await apply({ guid, version: "v1" }, "--wait");
  await withPage(async (page, go) => {
    const none = async (path) => {
      const found = await page.getByRole("button", { name: /^(Pause|Resume|Promote|Retry|Cancel|Undo|Retire|Scale|Pin|Unpin|Go back|Drain|Undrain)/ }).allTextContents();
      assert.deepEqual(found, [], path);
    };
    await go("/apps/" + guid);
    await page.locator(".chip").first().waitFor();
    await none("app");
    await page.keyboard.press("p");
    assert.equal(await page.getByRole("dialog").count(), 0);
    await go(`/apps/${guid}/definitions`);
    await page.getByRole("checkbox").first().waitFor();
    await none("definitions");
    await go("/cells");
    await page.locator("a[href^='/cells/']").first().click();
    await page.locator(".card").first().waitFor();
    await none("cell");
  }, { role: "VIEWER" });
}

export async function an_operator_is_drawn_what_he_may() {
  const guid = name("operator");
  await apply({ guid, version: "v1" }, "--wait");
  await withPage(async (page, go) => {
    await go("/apps/" + guid);
    await page.getByRole("button", { name: "Retire all" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Scale" }).count(), 0);
  }, { role: "OPERATOR" });
}

export async function the_page_runs_under_its_own_policy() {
  const answer = await fetch(options.page + "/");
  const policy = answer.headers.get("content-security-policy") ?? "";
  for (const word of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"]) assert.ok(policy.includes(word), policy);
  await withPage(async (page, go) => {
    await page.addInitScript(() => {
      window.violated = [];
      document.addEventListener("securitypolicyviolation", (e) => window.violated.push(e.violatedDirective + " " + e.sourceFile + ":" + e.lineNumber));
    });
    for (const path of ["/", "/cells", "/events", "/system"]) {
      await go(path);
      await page.locator("main h1").waitFor({ state: "attached" });
      assert.deepEqual(await page.evaluate(() => window.violated), [], path);
    }
  });
}

export async function an_app_that_is_not_there_is_said_so() {
  await withPage(async (page, go) => {
    await go("/apps/no-such-app");
    await page.getByText("There is no such app").waitFor();
    await go("/no/such/page");
    await page.getByRole("heading", { name: "There is no such page" }).waitFor();
  });
}

export async function a_click_that_is_made_twice_does_it_once() {
  const guid = name("twice");
  await apply({ guid, version: "v1" }, "--wait");
  await apply({ guid, version: "bad", broken: true });
  const keys = [];
  await withPage(async (page, go) => {
    await page.route("**/api/baton.v2.Rolls/RetryRoll", async (route) => {
      keys.push(route.request().postDataJSON().idempotency_key);
      // The first answer is lost on its way; the call itself is made.
      if (keys.length === 1) {
        await route.fetch();
        await route.fulfill({ status: 503, json: { code: "unavailable", message: "lost" } });
      } else {
        await route.continue();
      }
    });
    await go("/apps/" + guid);
    await page.getByRole("button", { name: "Retry" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.locator("button[type=submit]").click();
    await dialog.getByRole("alert").waitFor();
    await dialog.locator("button[type=submit]").click();
    await dialog.waitFor({ state: "detached" });
    assert.equal(keys.length, 2);
    assert.equal(keys[0], keys[1]);
    assert.ok(keys[0].length >= 16);
    const { steps } = await call("Rolls/GetRoll", { process_guid: guid, with_steps: true });
    assert.equal(steps.filter((s) => s.kind === "retried").length <= 1, true);
  });
}
