// What every commit did: as it happens, or read from any sequence that is kept.
import { useEffect, useState } from "preact/hooks";
import { signal } from "@preact/signals";
import { ApiError, follow } from "./api";
import { go } from "./state";
import { look } from "./live";
import { clock } from "./time";
import { plural } from "./words";
import { Fault, Link, queryOf } from "./other_screens";

const kKept = 1000; // events at once

const events = signal<any[]>([]);
const frozen = signal<any[] | null>(null); // what is shown while somebody reads; what comes meanwhile is kept
function eventText(e: any): string {
  if (e.step) return e.step.text;
  if (e.roll) return e.roll.state.toLowerCase() + (e.roll.reason ? ": " + e.roll.reason : "");
  if (e.actual_after || e.actual_before) {
    const [b, a] = [e.actual_before, e.actual_after];
    return [b && b.state.toLowerCase() + " " + b.presence.toLowerCase(), a && a.state.toLowerCase() + " " + a.presence.toLowerCase()].filter(Boolean).join(" → ") + (a?.instance_key?.cell_id ? " on " + a.instance_key.cell_id : "");
  }
  if (e.cell) return e.cell.cell_id;
  return e.definition_identifier || e.freshness?.domain || "";
}

// From a sequence on: the first of them, oldest first, and whether there are more.
async function readFrom(from: number, guid: string, kinds: string[]): Promise<[any[], boolean]> {
  const read: any[] = [];
  let more = false;
  await follow("Events/Subscribe", { process_guid: guid, kinds, after_sequence: String(Math.max(0, from - 1)) }, (message) => {
    more = read.push(...message.events) > kKept || !message.caught_up;
    return read.length > kKept || message.caught_up;
  });
  return [read.slice(0, kKept), more];
}

export function Events() {
  const guid = queryOf().get("guid") ?? "";
  const kind = queryOf().get("kind") ?? "";
  const from = queryOf().get("from") ?? ""; // empty: as it happens
  const [more, setMore] = useState(false);
  const [fault, setFault] = useState("");
  useEffect(() => {
    events.value = [];
    frozen.value = null;
    setFault(""), setMore(false);
    if (from) {
      let over = false;
      look({ view: "none" }, () => {});
      readFrom(Number(from) || 0, guid, kind ? [kind] : []).then(([read, left]) => over || ((events.value = read), setMore(left)),
        (error: ApiError) => over || setFault(error.code === "out_of_range" ? "Events from " + from + " on are not kept: 0 begins with the oldest that are. " + error.message : error.message));
      return () => (over = true);
    }
    look({ view: "events", guid, kinds: kind ? [kind] : [] }, (event, data) => {
      if (event !== "events") return;
      events.value = (data.first ? data.rows : [...events.value, ...data.rows]).slice(-kKept);
    });
  }, [guid, kind, from]);
  const shown = frozen.value ?? events.value;
  const fresh = frozen.value ? events.value.filter((e) => Number(e.sequence) > Number(frozen.value!.at(-1)?.sequence ?? 0)).length : 0;
  const set = (name: string, value: string) => {
    const q = queryOf();
    value ? q.set(name, value) : q.delete(name);
    go("/events" + (q.toString() ? "?" + q : ""), true);
  };
  return (
    <main>
      <h1>Events</h1>
      <div class="filter">
        <input id="filter" aria-label="App" placeholder="app   ( / )" value={guid} onChange={(e) => set("guid", (e.target as HTMLInputElement).value)} />
        <select aria-label="Kind" value={kind} onChange={(e) => set("kind", (e.target as HTMLSelectElement).value)}>
          <option value="">every kind</option>{["desired", "definition", "roll", "actual", "actual_crashed", "cell", "domain"].map((k) => <option>{k}</option>)}
        </select>
        <input class="from" aria-label="From sequence" placeholder="from sequence" inputMode="numeric" value={from} onChange={(e) => set("from", (e.target as HTMLInputElement).value.trim())} />
        {from ? <><button disabled={!more} onClick={() => set("from", String(Number(events.value.at(-1).sequence) + 1))}>Later ones</button><button onClick={() => set("from", "")}>Follow</button></>
          : <button aria-pressed={!!frozen.value} class={frozen.value ? "on" : ""} onClick={() => (frozen.value = frozen.value ? null : events.value)}>{frozen.value ? "Go on" : "Pause"}</button>}
        {fresh > 0 && <span class="dim num">{plural(fresh, "newer event")}</span>}
      </div>
      <Fault text={fault} />
      <div class="scroll tall" tabIndex={0} role="region" aria-label="Events">
        <table class="plain"><thead><tr><th>when</th><th>sequence</th><th>kind</th><th>app</th><th>slot</th><th>what</th></tr></thead>
          <tbody>{(from ? shown : [...shown].reverse()).map((e) => (
            <tr key={e.sequence}><td class="num">{clock(e.at)}</td><td class="num">{e.sequence}</td><td>{e.kind}</td><td>{e.process_guid && <Link guid={e.process_guid} />}</td>
              <td class="num">{(e.actual_after ?? e.actual_before ?? (e.step?.index >= 0 ? e.step : null))?.index ?? ""}</td><td class="text">{eventText(e)}</td></tr>))}</tbody></table>
        {!events.value.length && !fault && <p class="empty">{from ? "Nothing is kept from there on." : "Nothing happened since baton-web was started."}</p>}
      </div>
    </main>
  );
}
