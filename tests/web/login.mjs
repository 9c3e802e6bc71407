// Who logs in with a token, over TLS: what he is drawn, what he may, and what he is refused whatever his browser asks for.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { act, quickly, rollWord, slowly } from "./acting.mjs";
import { withPage } from "./browser.mjs";
import { options } from "./options.mjs";
import { folder, withOwnPage } from "./own_page.mjs";
import { apply, call, name } from "./stack.mjs";

const run = (program, ...args) => execFileSync(program, args, { encoding: "utf8" });

// Those who may log in, and the options of a baton-web that takes them.
function people(...roles) {
  const secret = {};
  const lines = roles.map((role) => {
    const said = run(dirname(options.baton) + "/baton-web", "token", role, "--role", role);
    secret[role] = /log in with it\): +(\S+)/.exec(said)[1];
    return /--tokens: +(.+)/.exec(said)[1];
  });
  writeFileSync(folder + "/tokens", lines.join("\n") + "\n", { mode: 0o600 });
  run(options.baton, "certs", "ca", "--trust-domain", "baton.test", "--out", folder + "/ca");
  run(options.baton, "certs", "issue", "web", "page", "--ca", folder + "/ca", "--out", folder + "/tls", "--ip", "127.0.0.1");
  return { secret, more: ["--tls-cert", folder + "/tls/cert.pem", "--tls-key", folder + "/tls/key.pem", "--tokens", folder + "/tokens"] };
}

async function logIn(page, secret) {
  await page.getByLabel("Token").fill(secret);
  await page.getByRole("button", { name: "Log in" }).click();
}
const asWho = (page, role) => page.locator(".who", { hasText: new RegExp(`^${role} ${role}$`) }).waitFor();

// As somebody at the devtools would ask: the status, and the code that came with it.
const asked = (page, method, body) => page.evaluate(async ([path, text]) => {
  const answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json", "Baton-Page": "1" }, body: text });
  return [answer.status, (await answer.json()).code];
}, ["/api/baton.v2." + method, JSON.stringify(body)]);

export async function tokens_say_who_somebody_is_and_what_he_may() {
  const guid = name("tokens");
  await apply({ guid, version: "v1", strategy: quickly }, "--wait");
  await apply({ guid, version: "v2", strategy: slowly });
  const { secret, more } = people("viewer", "operator");
  await withOwnPage({ tls: true, more }, async (own) => {
    await withPage(async (page, go) => {
      await go("/apps/" + guid);
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
      assert.deepEqual(await asked(page, "ActualLRPs/RetireInstances", { process_guid: guid }), [403, "permission_denied"]);
      assert.deepEqual(await asked(page, "Cells/DrainCell", { cell_id: "cell-1" }), [403, "permission_denied"]);
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
    }, { base: own.url, gone: true });
  });
  assert.match(JSON.stringify(await call("Rolls/GetRoll", { process_guid: guid, with_steps: true })), /operator@web/, "the history does not name him");
}
