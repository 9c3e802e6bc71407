// Who logs in with a token, over TLS: what he is drawn, what he may, and what he is refused whatever his browser asks for.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { act, asked, asWho, lasting, quickly, rollWord } from "./acting.mjs";
import { axeFaults, withPage } from "./browser.mjs";
import { options } from "./options.mjs";
import { folder, run, served, withOwnPage } from "./own_page.mjs";
import { apply, call, name } from "./stack.mjs";

// Those who may log in, and the options of a baton-web that takes them.
function people(...roles) {
  const secret = {};
  const lines = roles.map((role) => {
    const said = run(dirname(options.baton) + "/baton-web", "token", role, "--role", role);
    secret[role] = /log in with it\): +(\S+)/.exec(said)[1];
    return /--tokens: +(.+)/.exec(said)[1];
  });
  writeFileSync(folder + "/tokens", lines.join("\n") + "\n", { mode: 0o600 });
  return { secret, more: [...served("by-token").options, "--tokens", folder + "/tokens"] };
}

async function logIn(page, secret) {
  await page.getByLabel("Token").fill(secret);
  await page.getByRole("button", { name: "Log in" }).click();
}

export async function tokens_say_who_somebody_is_and_what_he_may() {
  const guid = name("tokens");
  await apply({ guid, version: "v1", strategy: quickly }, "--wait");
  await apply({ guid, version: "v2", strategy: lasting });
  const { secret, more } = people("viewer", "operator");
  await withOwnPage({ tls: true, more }, async (own) => {
    await withPage(async (page, go) => {
      await go("/apps/" + guid);
      await page.getByLabel("Token").waitFor();
      assert.deepEqual(await axeFaults(page), []);
      await logIn(page, "0".repeat(64));
      await page.getByRole("alert").filter({ hasText: "no such token" }).waitFor();
      assert.equal(await page.getByText(guid).count(), 0, "something is drawn for nobody");
      assert.deepEqual(await asked(page, "Rolls/GetRoll", { process_guid: guid }), [401, "unauthenticated"]);

      await logIn(page, secret.viewer);
      await asWho(page, "viewer");
      await page.locator(".rollhead").waitFor();
      await page.locator(".chip").first().waitFor();
      assert.equal(await page.getByRole("group", { name: "Actions" }).count(), 0, "a viewer is drawn buttons");
      const { roll } = await call("Rolls/GetRoll", { process_guid: guid });
      assert.deepEqual(await asked(page, "Rolls/PauseRoll", { process_guid: guid, roll_id: roll.roll_id }), [403, "permission_denied"]);
      const changing = options.changing.split(",").filter(Boolean);
      assert.ok(changing.length > 20 || !options.batonds, "--changing names " + changing.length);
      // Convergence is there to be read; what changes something is a run of it.
      for (const method of changing) assert.deepEqual([method, ...(await asked(page, method, method === "Admin/Convergence" ? { run: true } : {}))], [method, 403, "permission_denied"]);
      assert.equal((await asked(page, "Rolls/GetRoll", { process_guid: guid }))[0], 200);

      await page.getByRole("button", { name: "Log out" }).click();
      await page.getByLabel("Token").waitFor();
      assert.deepEqual(await asked(page, "Rolls/GetRoll", { process_guid: guid }), [401, "unauthenticated"]);

      await logIn(page, secret.operator);
      await asWho(page, "operator");
      await act(page, "Pause", { reason: "lunch" });
      await rollWord(page, "paused");
      assert.deepEqual(await asked(page, "DesiredLRPs/RemoveDesiredLRP", { process_guid: guid }), [403, "permission_denied"]);

      await own.end("SIGKILL"); // and with it who is logged in: he is asked again
      await own.run();
      await page.getByLabel("Token").waitFor();
    }, { base: own.url, gone: true, still: true });
  });
  assert.match(JSON.stringify(await call("Rolls/GetRoll", { process_guid: guid, with_steps: true })), /operator@web/, "the history does not name him");
}
