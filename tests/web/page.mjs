// The page of a stack that is up, in a browser: node tests/web/page.mjs --page URL --baton PATH --hello PATH
// One line a test; exit status 1 when one failed. Tests share nothing but the stack, and run a few at a time; those that take parts
// of it away come last, one by one.
import { closeBrowser } from "./browser.mjs";
import { options } from "./options.mjs";
import { removeAll } from "./stack.mjs";
import * as looking from "./looking.mjs";
import * as rolls from "./rolls.mjs";
import * as access from "./access.mjs";
import * as comingIn from "./coming_in.mjs";
import * as away from "./away.mjs";
import * as keeping from "./keeping.mjs";
import * as large from "./large.mjs";
import * as login from "./login.mjs";

const chosen = ([name]) => name.includes(options.only);
const { a_cell_is_drained_and_taken_back, ...others } = keeping;
const tests = Object.entries({ ...rolls, ...looking, ...access, ...login, ...comingIn, ...large, ...others }).filter(chosen);
const alone = Object.entries({ a_cell_is_drained_and_taken_back, ...away }).filter(chosen);
let failed = 0;

async function run([name, test]) {
  const began = Date.now();
  try {
    await test();
    console.log("ok", name, ((Date.now() - began) / 1000).toFixed(1), "s");
  } catch (error) {
    failed++;
    console.log("FAILED", name, String(error.message).replace(/\x1b\[\d+m/g, ""));
  }
}
async function work() {
  for (let next = tests.shift(); next; next = tests.shift()) await run(next);
}

await Promise.all(Array.from({ length: 4 }, work)); // they wait most of the time
await removeAll();
if (options.batonds) for (const test of alone) await run(test);
else if (alone.length) console.log("skipped", alone.map(([name]) => name).join(" "), "which take parts of the stack away: --batonds says what may be killed");
await removeAll();
await closeBrowser();
process.exit(failed ? 1 : 0);
