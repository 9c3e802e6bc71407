// What the tests, the pictures and the load are told: where the page is, and the programs that make things happen.
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    page: { type: "string" }, // http://127.0.0.1:8892/
    baton: { type: "string" }, // path of baton
    hello: { type: "string" }, // path of the app of examples/hello
    batonds: { type: "string" }, // ADDRESS=METRICS=PID,...: all of them; one is killed
    ports: { type: "string" }, // free ones, for programs that tests start themselves
    changing: { type: "string", default: "" }, // SERVICE/METHOD,...: all that change something, by the descriptors
    batond: { type: "string" }, // HOST:PORT; default: the leader that the page names
    tls: { type: "string" }, // as baton's --tls
    chromium: { type: "string", default: "/usr/bin/chromium-headless-shell" },
    only: { type: "string", default: "" }, // tests whose name has this in it
    "as-is": { type: "boolean", default: false }, // pictures of the apps that a run before has made
    part: { type: "string", default: "looking" }, // of load.mjs: or changing
    seconds: { type: "string", default: "20" }, // of changing
    recorded: { type: "string", default: "build/web" }, // folder of what is recorded
    out: { type: "string", default: "docs/dashboard" }, // pictures
  },
});
for (const name of ["page", "baton", "hello"]) {
  if (!values[name]) {
    console.error(`--${name} is missing: node ${process.argv[1]} --page URL --baton PATH --hello PATH`);
    process.exit(2);
  }
}

export const options = values;
options.page = options.page.replace(/\/$/, "");
