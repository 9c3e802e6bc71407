// A baton-web of the test's own, beside the stack's, on the same batonds.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, openSync, readFileSync } from "node:fs";
import { get } from "node:http";
import { get as getOverTls } from "node:https";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { options } from "./options.mjs";
import { me } from "./stack.mjs";

const given = (options.ports ?? "").split(",").filter(Boolean);
// One of --ports, else any that is free.
async function port() {
  if (given.length) return given.shift();
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port: free } = server.address();
  server.close();
  await once(server, "close");
  return String(free);
}

const answers = (url) => new Promise((resolve) => {
  (url.startsWith("https") ? getOverTls : get)(url, { rejectUnauthorized: false }, (answer) => (answer.resume(), resolve(true))).on("error", () => resolve(false));
});

export const folder = mkdtempSync(tmpdir() + "/baton-page-");
const batonds = options.batonds ? options.batonds.split(",").map((b) => b.split("=")[0]).join(",") : null;

export const run = (program, ...args) => execFileSync(program, args, { encoding: "utf8" });

// A certificate of an authority of the tests' own: the folder that it is in.
export function certificate(role, person, { authority = "ca" } = {}) {
  const [ca, out] = [`${folder}/${authority}`, `${folder}/${authority}-${person}`];
  if (!existsSync(ca)) run(options.baton, "certs", "ca", "--trust-domain", "baton.test", "--out", ca);
  run(options.baton, "certs", "issue", role, person, "--ca", ca, "--out", out, "--ip", "127.0.0.1");
  return out;
}
// What a page that is served over TLS takes: the folder of its certificate, and its options.
export function served(page) {
  const tls = certificate("web", page);
  return { tls, options: ["--tls-cert", tls + "/cert.pem", "--tls-key", tls + "/key.pem"] };
}

export class OwnPage {
  // Its program takes these options beside --batond and --listen.
  static async start(tls, more) {
    for (;;) {
      const page = new OwnPage();
      page.address = "127.0.0.1:" + (await port());
      page.url = (tls ? "https://" : "http://") + page.address;
      page.command = ["run", "--listen", page.address, "--batond", batonds ?? (await me()).leader, ...more];
      try {
        await page.run();
        return page;
      } catch (error) {
        if (!page.portIsTaken()) throw error; // by a test beside this one, since the port was found free
      }
    }
  }

  get log() { return `${folder}/web-${this.address.split(":")[1]}.log`; }
  portIsTaken() { return readFileSync(this.log, "utf8").includes("Address already in use"); }

  starts() { return readFileSync(this.log, "utf8").split('"event":"web_started"').length - 1; }

  async run() {
    const log = openSync(this.log, "a");
    const before = this.starts();
    this.program = spawn(dirname(options.baton) + "/baton-web", this.command, { stdio: ["ignore", log, log] });
    // An answer alone could be another program's, that has the port.
    while (this.starts() === before || !(await answers(this.url + "/"))) {
      if (this.program.exitCode !== null) throw new Error(`baton-web ended with ${this.program.exitCode}: ${folder}`);
      await pause(20);
    }
  }

  async end(signal = "SIGTERM") {
    this.program.kill(signal);
    if (this.program.exitCode === null && this.program.signalCode === null) await once(this.program, "exit");
  }
}

// Runs `test` with one that ends with it.
export async function withOwnPage({ tls = false, more = [] }, test) {
  const own = await OwnPage.start(tls, more);
  try {
    await test(own);
  } finally {
    await own.end();
  }
}
