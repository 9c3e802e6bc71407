// The stack that the page looks at: apps are made, rolled and deleted by `baton`.
import { execFile } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { options } from "./options.mjs";

const execute = promisify(execFile);

export async function me() {
  return (await fetch(options.page + "/api/me")).json();
}

const batond = async () => options.batond ?? (await me()).leader;

// Runs `baton ARGUMENTS`; `input` is its standard input. An exit status other than 0 throws with what it said.
export async function baton(args, input = "") {
  const tls = options.tls ? ["--tls", options.tls] : [];
  const running = execute(options.baton, ["--batond", await batond(), ...tls, "--actor", "page-test", ...args], { timeout: 60_000 });
  running.child.stdin.end(input);
  try {
    return (await running).stdout;
  } catch (error) {
    throw new Error(`baton ${args.join(" ")}: ${error.stderr || error.stdout || error.message}`);
  }
}

async function post(method, body) {
  const answer = await fetch(options.page + "/api/baton.v2." + method, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Baton-Page": "1" },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method}: ${text}`);
  return text;
}

// A unary call by the page's own API, as a script would make it.
export const call = async (method, body) => JSON.parse(await post(method, body));
// One that answers with a stream: its messages.
export const rowsOf = async (method, body) => (await post(method, body)).split("\n").filter(Boolean).map((line) => JSON.parse(line));

// An app file. With `tags` that no cell has it is placed nowhere. A `broken` version ends at once, so that a roll to it fails.
export function appFile({ guid, version, instances = 2, broken = false, memory = "32MiB", strategy = {}, ports = [8080], routes = null, tags = [] }) {
  const rules = {
    max_in_flight: 1, min_healthy_time: "300ms", bake_time: "300ms", drain_timeout: "2s", max_failures: 1, on_failure: "HOLD", ...strategy,
  };
  return JSON.stringify({
    guid,
    domain: "page-test",
    instances,
    routes: routes ?? [{ hostname: guid + ".example", port: 8080 }],
    strategy: rules,
    definition: {
      identifier: version,
      root_fs: "host:any",
      memory,
      ports,
      placement_tags: tags,
      start_timeout: "15s",
      env: { VERSION: version },
      action: { run: { path: broken ? "/bin/false" : options.hello } },
      check: {
        liveness: [{ tcp: { port: 8080 } }],
        readiness: [{ http: { port: 8080, path: "/healthz", interval: "100ms" } }],
      },
    },
  });
}

export const apply = (app, ...more) => baton(["apply", "-f", "-", ...more], appFile(app));

export async function until(what, holds) {
  for (const end = Date.now() + 20_000; !(await holds()); await pause(50)) if (Date.now() > end) throw new Error("not so after 20 s: " + what);
}

// Names that no other run has, so that a stack can be used again.
const run = Date.now().toString(36);
const made = new Set();
export function name(word) {
  const guid = `${word}-${run}`;
  made.add(guid);
  return guid;
}

export async function removeAll() {
  await Promise.all([...made].map((guid) => baton(["delete", guid]).catch(() => {})));
  made.clear();
}
