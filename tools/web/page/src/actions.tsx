// What an operator can do, each asked once, in a dialog that says what will happen.
import { useEffect, useRef, useState } from "preact/hooks";
import { signal } from "@preact/signals";
import { ApiError, call } from "./api";
import { mayOperate, tell } from "./state";
import { plural } from "./words";
import { ago, span } from "./time";

export interface Action {
  title: string;
  what: string; // what happens, in a sentence
  button: string;
  danger?: boolean;
  type?: string; // has to be typed
  reason?: boolean; // is asked for, and kept in the history
  number?: { label: string; value: number };
  forecast?: () => Promise<any>; // a PlanUpdateResponse
  run: (given: { reason: string; number: number; key: string }) => Promise<unknown>;
  done: string;
}

const open = signal<Action | null>(null);
export const ask = (action: Action) => (open.value = action);

function Forecast({ plan }: { plan: any }) {
  if (!plan) return null;
  if (plan.none) return <p class="dim">{plan.none}</p>;
  // Nothing of it is to be done: its figures are those of no slot.
  const nothing = !Number(plan.restarts) && !Number(plan.peak_instances);
  return (
    <div class="forecast">
      {nothing ? <p>Nothing is started anew, and every slot stays as it is.</p> : <p>{plural(plan.restarts, "instance is", "instances are")} started anew, {Number(plan.takes_ms) ? "about " + span(Number(plan.takes_ms)) : "and no end is foreseen"};
        {" "}never below {plan.least_served} served, at most {plan.peak_instances} at once.</p>}
      {plan.warnings?.map((warning: string) => <p class="bad"><i aria-hidden="true">▲</i> {warning}</p>)}
    </div>
  );
}

export function Dialog() {
  const action = open.value;
  const dialog = useRef<HTMLDialogElement>(null);
  const key = useRef("");
  const [reason, setReason] = useState("");
  const [typed, setTyped] = useState("");
  const [number, setNumber] = useState(0);
  const [plan, setPlan] = useState<any>(null);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState("");
  useEffect(() => {
    if (!action) return;
    // One key a dialog: a second click, or an answer that was lost, does nothing twice.
    key.current = Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join("");
    setReason(""), setTyped(""), setFault(""), setBusy(false), setNumber(action.number?.value ?? 0), setPlan(null);
    action.forecast?.().then(setPlan, (error: ApiError) => setPlan({ none: "No forecast is to be had: " + (error.code === "unimplemented" || error.message.startsWith("there is no method") ? "this batond makes none." : error.message) }));
    if (!dialog.current!.open) dialog.current!.showModal();
  }, [action]);
  if (!action) return null;
  const close = () => {
    dialog.current?.close();
    open.value = null;
  };
  const type = action.number && number === 0 ? action.type : action.number ? undefined : action.type;
  const ready = !busy && (!type || typed === type);
  const run = async (event: Event) => {
    event.preventDefault();
    if (!ready) return;
    setBusy(true);
    try {
      await action.run({ reason, number, key: key.current });
      close();
      tell(action.done);
    } catch (error: any) {
      setBusy(false);
      setFault(error.code === "aborted" ? "Somebody changed it meanwhile, and nothing was done: " + error.message : error.message);
    }
  };
  return (
    <dialog ref={dialog} onClose={() => (open.value = null)} aria-labelledby="asked">
      <form onSubmit={run}>
        <h2 id="asked">{action.title}</h2>
        <p>{action.what}</p>
        {action.forecast && !plan && <p class="dim">looking ahead …</p>}
        <Forecast plan={plan} />
        {action.number && <label>{action.number.label}
          <input type="number" min={0} max={100000} value={number} onInput={(e) => setNumber(Number((e.target as HTMLInputElement).value))} /></label>}
        {action.reason && <label>Reason, kept in the history
          <input value={reason} maxLength={1000} onInput={(e) => setReason((e.target as HTMLInputElement).value)} /></label>}
        {type && <label>Type <b>{type}</b> to go on
          <input value={typed} autocomplete="off" spellcheck={false} onInput={(e) => setTyped((e.target as HTMLInputElement).value)} /></label>}
        {fault && <p class="bad" role="alert"><i aria-hidden="true">▲</i> {fault}</p>}
        <div class="buttons">
          <button type="button" onClick={close}>Leave it</button>
          <button type="submit" class={action.danger ? "danger" : "main"} disabled={!ready}>{busy ? "…" : action.button}</button>
        </div>
      </form>
    </dialog>
  );
}

const change = (method: string, guid: string, roll: any) => (given: { reason: string; key: string }) =>
  call("Rolls/" + method, { process_guid: guid, roll_id: roll.roll_id, reason: given.reason, idempotency_key: given.key });

// RollBack names no roll: whether it is still the one on the screen is looked at before.
async function expectRoll(guid: string, id: string) {
  const { roll } = await call("Rolls/GetRoll", { process_guid: guid });
  if (roll.roll_id !== id) throw new ApiError("aborted", `the last roll is another one, ${roll.source_definition || "new"} → ${roll.target_definition}, opened ${ago(roll.opened_at)}`);
}

// The actions that the app's state allows now.
export function actionsOf(guid: string, roll: any, wanted: number): Action[] {
  if (!mayOperate()) return [];
  const all: Action[] = [];
  const state = roll?.state ?? "";
  const open = ["ROLLING", "PAUSED", "HELD", "ROLLING_BACK"].includes(state);
  const because: string[] = roll?.paused_because ?? [];
  if (state === "ROLLING" || (state === "PAUSED" && !because.includes("HAND"))) {
    all.push({ title: "Pause the roll", what: "Nothing more is started or handed over; what is being handed over or drained comes to its end. Every slot stays served.", button: "Pause", reason: true, run: change("PauseRoll", guid, roll), done: "paused" });
  }
  if (because.includes("HAND")) {
    all.push({ title: "Resume the roll", what: "The roll goes on where it stopped.", button: "Resume", reason: true, run: change("ResumeRoll", guid, roll), done: "resumed" });
  }
  if (because.includes("STAGE")) {
    all.push({ title: "Promote the stage", what: "The stage is passed, and the roll goes on to the next one.", button: "Promote", reason: true, run: change("PromoteRoll", guid, roll), done: "promoted" });
  }
  if (state === "HELD") {
    all.push({ title: "Try again", what: "The roll goes on to " + roll.target_definition + "; failures count anew.", button: "Retry", reason: true, run: change("RetryRoll", guid, roll), done: "it tries again" });
  }
  if (open && state !== "ROLLING_BACK" && roll.source_definition) {
    all.push({
      title: "Cancel the roll", what: "Slots that run " + roll.target_definition + " go back to " + roll.source_definition + ", one after the other, by the same rules.",
      button: "Cancel the roll", danger: true, reason: true, type: guid, done: "it goes back",
      forecast: () => call("Rolls/PlanCancel", { process_guid: guid, roll_id: roll.roll_id }), run: change("CancelRoll", guid, roll),
    });
  }
  if (!open && roll) {
    let same = false; // a call that is made again after a lost answer has opened a roll itself
    all.push({
      title: "Undo", what: "The app goes back to the proven definition before the active one.", button: "Undo", danger: true, reason: true, type: guid, done: "it goes back",
      forecast: () => call("Rolls/PlanRollBack", { process_guid: guid }),
      run: async (given) => {
        if (!same) await expectRoll(guid, roll.roll_id);
        same = true;
        return call("Rolls/RollBack", { process_guid: guid, reason: given.reason, idempotency_key: given.key });
      },
    });
  }
  all.push({
    title: "Retire instances", what: "Each of the " + plural(wanted, "instance") + " is replaced by a new one of the active definition, slot by slot, and stays served.",
    button: "Retire all", danger: true, type: guid, done: "they are replaced",
    run: (given) => call("ActualLRPs/RetireInstances", { process_guid: guid, idempotency_key: given.key }),
  });
  return all;
}

export function retire(guid: string, definition: string, instances: number): Action {
  return {
    title: "Retire " + definition, what: plural(instances, "instance") + " of " + definition + (instances === 1 ? " is" : " are") + " replaced by what the app runs now, slot by slot, and every slot stays served.",
    button: "Retire", danger: true, type: guid, done: "they are replaced",
    run: (given) => call("ActualLRPs/RetireInstances", { process_guid: guid, definition_identifier: definition, idempotency_key: given.key }),
  };
}

export function undoTo(guid: string, definition: string): Action {
  return {
    title: "Go back to " + definition, what: "The app is rolled to " + definition + ", slot by slot.", button: "Go back", danger: true, reason: true, type: guid, done: "it goes back",
    forecast: () => call("Rolls/PlanRollBack", { process_guid: guid, definition_identifier: definition }),
    run: (given) => call("Rolls/RollBack", { process_guid: guid, definition_identifier: definition, reason: given.reason, idempotency_key: given.key }),
  };
}

export function scale(guid: string, wanted: number): Action {
  return {
    title: "Scale " + guid, what: "It takes effect at once; new slots start the active definition.", button: "Scale", number: { label: "Instances", value: wanted }, type: guid, done: "scaled",
    run: (given) => call("DesiredLRPs/UpdateDesiredLRP", { process_guid: guid, update: { instances: given.number, expected: { instances: wanted } }, idempotency_key: given.key }),
  };
}

export function pin(definition: any): Action {
  const name = definition.definition_identifier;
  return {
    title: (definition.pinned ? "Unpin " : "Pin ") + name, button: definition.pinned ? "Unpin" : "Pin", done: definition.pinned ? "unpinned" : "pinned",
    what: definition.pinned ? "It is collected once nothing else needs it." : "It is kept until somebody unpins it.",
    run: (given) => call("Definitions/PinDefinition", { process_guid: definition.process_guid, definition_identifier: name, pinned: !definition.pinned, idempotency_key: given.key }),
  };
}

export function drain(cell: any, others: { free: number }): Action {
  const id = cell.cell_id;
  if (cell.draining) {
    return { title: "Undrain " + id, what: "It is given instances again.", button: "Undrain", done: "undrained", run: () => call("Cells/UndrainCell", { cell_id: id }) };
  }
  return {
    title: "Drain " + id, button: "Drain", danger: true, type: id, done: "it drains",
    what: plural(cell.instances, "instance goes", "instances go") + " elsewhere, each replaced before it is stopped. The other cells have " + others.free + " MiB free.",
    run: () => call("Cells/DrainCell", { cell_id: id }),
  };
}
