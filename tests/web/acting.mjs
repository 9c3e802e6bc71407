// How a page is steered: an action's button, its dialog, the word of the roll.
import { apply } from "./stack.mjs";

export const quickly = { min_healthy_time: "300ms", bake_time: "0s" };
export const lasting = { min_healthy_time: "30s", bake_time: "0s" }; // no test sees its end
export const slowly = { min_healthy_time: "4s", bake_time: "0s" };

export const dialog = (page) => page.getByRole("dialog");
export const agree = (page) => dialog(page).locator("button[type=submit]");
export const action = (page, button) => page.getByRole("group", { name: "Actions" }).getByRole("button", { name: button, exact: true });

// As the page greets him: "ann operator".
export const asWho = (page, person, role = person) => page.locator(".who", { hasText: new RegExp(`^${person} ${role}$`) }).waitFor();

// As somebody at the devtools would ask: the status, and the code that came with it.
export const asked = (page, method, body) => page.evaluate(async ([path, text]) => {
  const answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json", "Baton-Page": "1" }, body: text });
  return [answer.status, (await answer.json()).code];
}, ["/api/baton.v2." + method, JSON.stringify(body)]);

// Presses an action's button, fills what the dialog asks for, and goes on; it is closed after that.
export async function act(page, button, { type = "", reason = "", number = "", within = page } = {}) {
  await action(within, button).click();
  await dialog(page).waitFor();
  if (number !== "") await dialog(page).getByLabel(/^Instances/).fill(String(number));
  if (reason) await dialog(page).getByLabel(/Reason/).fill(reason);
  if (type) await dialog(page).getByLabel(/^Type/).fill(type);
  await agree(page).click();
  await dialog(page).waitFor({ state: "detached" });
}

export const rollWord = (page, word) => page.locator(".rollhead .badge").filter({ hasText: new RegExp(`^\\W*${word}$`) }).waitFor();

// An app whose roll is held, because what it goes to ends at once.
export async function held(guid, instances = 2) {
  await apply({ guid, version: "v1", instances, strategy: quickly }, "--wait");
  await apply({ guid, version: "bad", instances, broken: true });
}
