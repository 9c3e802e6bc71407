// Who comes in without a token: by a certificate, and through a proxy that says who he is.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { get } from "node:https";
import { setTimeout as pause } from "node:timers/promises";
import { connect } from "node:tls";
import { act, action, asked, asWho, lasting, quickly, rollWord } from "./acting.mjs";
import { axeFaults, withPage } from "./browser.mjs";
import { certificate, folder, served, withOwnPage } from "./own_page.mjs";
import { apply, call, name } from "./stack.mjs";

const whoSteered = async (guid) => JSON.stringify(await call("Rolls/GetRoll", { process_guid: guid, with_steps: true }));

async function rolling(word) {
  const guid = name(word);
  await apply({ guid, version: "v1", strategy: quickly }, "--wait");
  await apply({ guid, version: "v2", strategy: lasting });
  return guid;
}

// A viewer is drawn no button, and is refused what he asks for all the same.
async function mayOnlyLook(page, guid) {
  await page.locator(".rollhead").waitFor();
  assert.equal(await page.getByRole("group", { name: "Actions" }).count(), 0);
  assert.deepEqual(await asked(page, "Rolls/PauseRoll", { process_guid: guid }), [403, "permission_denied"]);
}

// Nobody: nothing is drawn for him, and no token is asked for where none would help.
async function isNobody(page) {
  await page.getByText("You are not known here").waitFor();
  assert.equal(await page.getByLabel("Token").count(), 0);
  assert.deepEqual(await axeFaults(page), []);
  assert.deepEqual(await asked(page, "Rolls/ListRolls", {}), [401, "unauthenticated"]);
}

// The certificate that baton-web shows on a connection that is new.
async function shownAt(address) {
  const [host, port] = address.split(":");
  const socket = connect({ host, port: Number(port), rejectUnauthorized: false });
  await once(socket, "secureConnect");
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256;
}

// Of the page, for whoever shows this certificate.
const statusWith = (url, shown) => new Promise((resolve, reject) => {
  const [cert, key] = ["cert", "key"].map((file) => readFileSync(`${shown}/${file}.pem`));
  get(url, { cert, key, rejectUnauthorized: false, agent: false }, (answer) => (answer.resume(), resolve(answer.statusCode))).on("error", reject);
});

export async function a_certificate_says_who_somebody_is() {
  const guid = await rolling("certified");
  const server = served("by-certificate");
  const more = [...server.options, "--client-ca", folder + "/ca/ca.pem", "--trust-domain", "baton.test"];
  await withOwnPage({ tls: true, more }, async ({ url, address }) => {
    const before = await shownAt(address);
    await withPage(async (page, go) => {
      await go("/apps/" + guid);
      await asWho(page, "bob", "viewer");
      await mayOnlyLook(page, guid);
    }, { base: url, certificate: certificate("viewer", "bob") });
    await withPage(async (page, go) => {
      await go("/apps/" + guid);
      await asWho(page, "ann", "operator");
      await act(page, "Pause", { reason: "lunch" });
      await rollWord(page, "paused");
    }, { base: url, certificate: certificate("operator", "ann") });
    assert.match(await whoSteered(guid), /ann@web/);
    await withPage(async (page, go) => {
      await go("/");
      await isNobody(page);
    }, { base: url });
    // Of an authority that is not --client-ca: not even the page itself.
    assert.equal(await statusWith(url, certificate("operator", "ann")), 200);
    await assert.rejects(statusWith(url, certificate("operator", "ann", { authority: "other" })), /unknown ca|ECONNRESET|EPIPE/);
    // It goes on with a certificate that has come meanwhile, without being started anew.
    certificate("web", "by-certificate");
    for (const end = Date.now() + 15_000; (await shownAt(address)) === before; await pause(50)) assert.ok(Date.now() < end, "the old certificate is still shown");
  });
}

// A proxy that has logged somebody in: it says so, and drops what a browser says about that.
async function proxyTo(socketPath) {
  const proxy = createServer((asks, answers) => {
    const headers = { ...asks.headers };
    for (const header of Object.keys(headers)) if (header.startsWith("x-forwarded-")) delete headers[header];
    if (proxy.user) Object.assign(headers, { "x-forwarded-user": proxy.user, "x-forwarded-groups": proxy.groups });
    const on = request({ socketPath, path: asks.url, method: asks.method, headers }, (answer) => {
      answers.writeHead(answer.statusCode, answer.headers);
      answer.pipe(answers);
    });
    on.on("error", () => answers.destroy());
    answers.on("close", () => on.destroy());
    asks.pipe(on);
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return proxy;
}

export async function a_proxy_says_who_somebody_is() {
  const guid = await rolling("proxied");
  const socket = folder + "/proxied.sock";
  await withOwnPage({ more: ["--proxy-socket", socket, "--operator-group", "ops"] }, async ({ url }) => {
    const proxy = await proxyTo(socket);
    try {
      await withPage(async (page, go) => {
        await go("/");
        await isNobody(page);
        Object.assign(proxy, { user: "bob", groups: "dev,devops" });
        await go("/apps/" + guid);
        await asWho(page, "bob", "viewer");
        await mayOnlyLook(page, guid);
        Object.assign(proxy, { user: "ann", groups: "dev,ops" });
        await go("/apps/" + guid);
        await asWho(page, "ann", "operator");
        await act(page, "Pause", { reason: "lunch" });
        await rollWord(page, "paused");
        await action(page, "Resume").waitFor();
      }, { base: "http://127.0.0.1:" + proxy.address().port });
      assert.match(await whoSteered(guid), /ann@web/);
      // The same words at the port, where anybody may say them.
      const posing = await fetch(url + "/api/me", { headers: { "X-Forwarded-User": "ann", "X-Forwarded-Groups": "ops" } });
      const { name: who, role } = await posing.json();
      assert.deepEqual([who, role], ["loopback", "VIEWER"]);
    } finally {
      proxy.closeAllConnections();
      proxy.close();
    }
  });
}
