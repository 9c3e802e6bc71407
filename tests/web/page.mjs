// The page of a stack that is up, in a browser: node tests/web/page.mjs --page URL --baton PATH --hello PATH
// One line a test; exit status 1 when one failed. Tests share nothing but the stack, and run a few at a time.
import { closeBrowser } from "./browser.mjs";
import { options } from "./options.mjs";
import { removeAll } from "./stack.mjs";
import * as looking from "./looking.mjs";
import * as rolls from "./rolls.mjs";
import * as access from "./access.mjs";

const tests = Object.entries({ ...rolls, ...looking, ...access }).filter(([name]) => name.includes(options.only));
let failed = 0;

async function work() {
  for (let next = tests.shift(); next; next = tests.shift()) {
    const [name, test] = next;
    try {
      await test();
      console.log("ok", name);
    } catch (error) {
      failed++;
      console.log("FAILED", name, String(error.message).replace(/\x1b\[\d+m/g, ""));
    }
  }
}

await Promise.all([work(), work(), work()]);
await removeAll();
await closeBrowser();
process.exit(failed ? 1 : 0);
