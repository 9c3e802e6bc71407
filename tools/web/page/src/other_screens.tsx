// Rolls, cells and the system: lists that are looked through.
import { useEffect, useState } from "preact/hooks";
import { signal } from "@preact/signals";
import { call, list } from "./api";
import { counts, mayOperate, place } from "./state";
import { look } from "./live";
import { ago, clock, ms, since, span } from "./time";
import { Bar, plural, RollState, short, Wide } from "./words";
import { ask, drain } from "./actions";
import { StepTable, stepsOf, Timeline } from "./timeline";

// What a call answers, asked again every so many seconds, and the fault where it did not.
export function useCall(ask: () => Promise<any>, what: string, seconds = 0): [any, string] {
  const [got, setGot] = useState<any>(null);
  const [fault, setFault] = useState("");
  useEffect(() => {
    let over = false;
    const again = () => ask().then((a) => over || (setGot(a), setFault("")), (e) => over || setFault(e.message));
    again();
    const timer = seconds ? setInterval(() => document.hidden || again(), seconds * 1000) : 0;
    return () => ((over = true), clearInterval(timer));
  }, [what]);
  return [got, fault];
}
export const Fault = ({ text }: { text: string }) => (text ? <p class="bad" role="alert"><i aria-hidden="true">▲</i> {text}</p> : null);
export const Link = ({ guid }: { guid: string }) => <a href={"/apps/" + encodeURIComponent(guid)}>{guid}</a>;
export const queryOf = () => new URLSearchParams(place.value.split("?")[1] ?? "");

const kRolls = 500;

export function Rolls() {
  const guid = queryOf().get("guid") ?? "";
  useEffect(() => look({ view: "none" }, () => {}), []);
  // Those beyond are not even read: there are twenty of each app.
  const [listed, fault] = useCall(() => list("Rolls/ListRolls", { process_guid: guid, with_finished: true }, "rolls", kRolls), "rolls" + guid, 5);
  const rolls = listed ?? [];
  return (
    <main>
      <h1>Rolls {guid && <>of <Link guid={guid} /> <a class="dim" href="/rolls">all</a></>}</h1>
      <Fault text={fault} />
      <div class="scroll" tabIndex={0} role="region" aria-label="Rolls">
        <table class="plain"><thead><tr><th>state</th><th>app</th><th>from → to</th><th>asked for by</th><th>opened</th><th>took</th><th>worked / waited</th><th>why</th></tr></thead>
          <tbody>{rolls.map((roll: any) => (
            <tr key={roll.roll_id}>
              <td><RollState state={roll.state} /></td><td><Link guid={roll.process_guid} /></td>
              <td class="num"><a href={"/rolls/" + roll.roll_id}><span class="old">{short(roll.source_definition) || "new"}</span> → <span class="new">{short(roll.target_definition)}</span></a></td>
              <td>{roll.actor}</td><td class="num">{clock(roll.opened_at)}</td>
              <td class="num">{span((ms(roll.finished_at) || Date.now()) - ms(roll.opened_at))}</td>
              <td class="num">{span(Number(roll.active_ms))} / {span(Number(roll.waiting_ms))}</td><td class="text">{roll.reason}</td>
            </tr>))}</tbody></table>
        {listed && !rolls.length && <p class="empty">No roll is kept.</p>}
        {rolls.length === kRolls && <p class="dim">These are the open ones and the newest, {kRolls} in all. An app's page leads to all of its own.</p>}
      </div>
    </main>
  );
}

export function RollScreen({ id }: { id: string }) {
  useEffect(() => look({ view: "none" }, () => {}), []);
  const [got, fault] = useCall(() => call("Rolls/GetRoll", { roll_id: id, with_steps: true }), id, 2);
  const roll = got?.roll;
  return (
    <main>
      <Fault text={fault} />
      {roll && <>
        <h1>Roll of <Link guid={roll.process_guid} /> <RollState state={roll.state} /></h1>
        <p><span class="old">{short(roll.source_definition) || "new"}</span> → <span class="new">{short(roll.target_definition)}</span> · opened {clock(roll.opened_at)} by {roll.actor || "baton"} · took {span((ms(roll.finished_at) || Date.now()) - ms(roll.opened_at))}</p>
        <p class="reason">{roll.reason}</p>
        <section class="card"><h2>Timeline</h2><Timeline steps={stepsOf(got.steps)} roll={roll} /></section>
        <section class="card"><h2>Steps</h2><StepTable steps={got.steps} /></section>
      </>}
    </main>
  );
}

const cells = signal<any[] | null>(null);
function useCells() {
  useEffect(() => look({ view: "cells" }, (event, data) => event === "cells" && (cells.value = data.cells)), []);
  return cells.value ?? [];
}
const freeElsewhere = (all: any[], id: string) =>
  all.filter((c) => c.cell_id !== id && c.state === "PRESENT" && !c.draining).reduce((sum, c) => sum + Number(c.available?.memory_mb ?? 0), 0);

function Used({ cell, what, unit }: { cell: any; what: string; unit: string }) {
  const all = Number(cell.capacity?.[what] ?? 0), free = Number(cell.available?.[what] ?? 0);
  if (!all) return <span class="dim">not limited</span>;
  return <span class="bar"><span class="bar-track" aria-hidden="true"><span style={{ width: (100 * (all - free)) / all + "%" }} /></span><span class="num">{all - free} / {all} {unit}</span></span>;
}

function CellState({ cell }: { cell: any }) {
  const bad = cell.state !== "PRESENT";
  return <span class={"badge " + (bad ? "bad" : cell.draining || cell.held_off ? "wait" : "ok")}>{bad ? "▲ " + cell.state.toLowerCase() : cell.draining ? "❚❚ drains" : cell.held_off ? "❚❚ held off" : "✓ present"}</span>;
}

export function Cells() {
  const all = useCells();
  return (
    <main>
      <h1>Cells</h1>
      <div class="scroll" tabIndex={0} role="region" aria-label="Cells">
        <table class="plain"><thead><tr><th>state</th><th>cell</th><th>zone</th><th>instances</th><th>memory</th><th>disk</th><th>lease</th><th /></tr></thead>
          <tbody>{all.map((cell) => (
            <tr key={cell.cell_id}>
              <td><CellState cell={cell} /></td><td><a href={"/cells/" + encodeURIComponent(cell.cell_id)}>{cell.cell_id}</a></td><td>{cell.zone}</td>
              <td>{cell.draining && cell.draining_from > 0
                ? <Bar part={cell.draining_from - cell.instances} of={cell.draining_from} label={plural(cell.instances, "is", "are") + " left"} />
                : <span class="num">{cell.instances}</span>}</td>
              <td><Used cell={cell} what="memory_mb" unit="MiB" /></td><td><Used cell={cell} what="disk_mb" unit="MiB" /></td>
              <td class="num">{ms(cell.missing_since) ? "missing for " + since(cell.missing_since) : cell.connected ? "connected" : "not connected"}</td>
              <td class="text">{cell.held_off}</td>
            </tr>))}</tbody></table>
        {cells.value && !all.length && <p class="empty">No cell has come yet.</p>}
      </div>
    </main>
  );
}

export function CellScreen({ id }: { id: string }) {
  const all = useCells();
  const cell = all.find((c) => c.cell_id === id);
  const [listed, fault] = useCall(() => list("ActualLRPs/ListActualLRPs", { cell_id: id }, "actual_lrps"), "cell" + id, 3);
  const lrps = listed ?? [];
  return (
    <main>
      <h1>{id} {cell && <CellState cell={cell} />}</h1>
      <Fault text={fault} />
      {cell && <>
        <p class="dim">zone {cell.zone || "none"} · version {cell.version} · {cell.address} · enforces {cell.enforces?.join(", ") || "nothing"}</p>
        {cell.held_off && <p class="bad">▲ {cell.held_off}</p>}
        {mayOperate() && <div class="actions"><button class={cell.draining ? "" : "danger"} onClick={() => ask(drain(cell, { free: freeElsewhere(all, id) }))}>{cell.draining ? "Undrain" : "Drain"}</button></div>}
      </>}
      <section class="card"><h2>Instances</h2>
        <Wide label="Instances"><table class="plain"><thead><tr><th>app</th><th>slot</th><th>definition</th><th>part</th><th>state</th><th>since</th></tr></thead>
          <tbody>{lrps.map((l: any) => <tr key={l.actual_id}><td><Link guid={l.process_guid} /></td><td class="num">{l.index}</td><td>{short(l.definition_identifier)}</td><td>{l.presence.toLowerCase()}</td><td>{l.state.toLowerCase()}{l.routable ? ", ready" : ""}</td><td class="num">{since(l.since)}</td></tr>)}</tbody></table></Wide>
        {listed && !lrps.length && <p class="empty">Nothing runs on it.</p>}
      </section>
    </main>
  );
}

export function System() {
  useEffect(() => look({ view: "none" }, () => {}), []);
  const [versions, fault] = useCall(() => call("Admin/Versions"), "versions", 5);
  const [upgrade] = useCall(() => call("Upgrades/GetUpgrade"), "upgrade", 5);
  const [convergence] = useCall(() => call("Admin/Convergence"), "convergence", 5);
  const mayKeys = mayOperate(); // a viewer is refused
  const [keys] = useCall(async () => (mayKeys ? call("Admin/Keys") : null), "keys" + mayKeys, 30);
  const [usage] = useCall(() => call("Admin/GetApiUsage", { api_version: "v1" }), "usage", 30);
  return (
    <main>
      <h1>System</h1>
      <Fault text={fault} />
      <section class="card"><h2>batond</h2>
        <Wide label="batond"><table class="plain"><thead><tr><th>id</th><th>address</th><th>version</th><th>data</th><th>state</th><th>seen</th></tr></thead><tbody>
          {versions?.batonds?.map((b: any) => <tr key={b.id}><td>{b.id}</td><td>{b.address}</td><td>{b.app_version}</td><td>{b.schema_version}</td><td><span class={"badge " + (b.state === "LEADING" ? "ok" : "plain")}>{b.state.toLowerCase()}</span>{!b.there && <span class="bad"> ▲ gone</span>}{b.why && <span class="dim"> {b.why}</span>}</td><td class="num">{ago(b.seen_at)}</td></tr>)}
        </tbody></table></Wide>
        {versions && <p class="dim">data {versions.schema_version} · PostgreSQL {versions.postgres_version} · epoch {versions.epoch}</p>}
      </section>
      {upgrade?.state && upgrade.state !== "NONE" && <section class="card"><h2>Upgrade of the data</h2><p>{upgrade.state.toLowerCase()} {upgrade.source} → {upgrade.target}{Number(upgrade.rows_left) > 0 && <> · {upgrade.rows_left} rows left</>}</p>
        {upgrade.shards?.filter((s: any) => !s.ready).map((s: any) => <p class="dim">shard {s.shard}: {s.reason}</p>)}</section>}
      <section class="card"><h2>Convergence</h2>
        <Wide label="Convergence"><table class="plain"><thead><tr><th>what</th><th>now</th><th>since the start</th><th>put right</th><th>for example</th></tr></thead><tbody>
          {convergence?.categories?.filter((c: any) => c.found_total !== "0").map((c: any) => <tr key={c.name}><td class="num">{c.name.replace(/_/g, " ")}</td><td class="num">{c.found}</td><td class="num">{c.found_total}</td><td class="num">{c.repaired ? "by itself" : "by you"}</td><td class="text">{c.examples?.slice(0, 3).join(", ")}</td></tr>)}
        </tbody></table></Wide>
        {convergence?.waited_out?.map((w: any) => <p class="bad">▲ {w.cell_id}: {w.reason}</p>)}
      </section>
      {counts.value?.people?.length > 0 && <section class="card"><h2>Who looks at this page</h2>
        <p>{counts.value.people.map((p: any) => `${p.name} (${p.role.toLowerCase()}${p.pages > 1 ? ", " + p.pages + " pages" : ""})`).join(", ")}</p></section>}
      {keys?.labels?.length > 0 && <section class="card"><h2>Keys</h2><p>{keys.labels.map((k: any) => k.label + (k.active ? " (active)" : "")).join(", ")}{keys.rotation?.state && " · rotation " + keys.rotation.state.toLowerCase()}</p></section>}
      {usage?.usage?.length > 0 && <section class="card"><h2>Who calls baton.v1</h2>
        <Wide label="Who calls baton.v1"><table class="plain"><thead><tr><th>method</th><th>caller</th><th>calls</th><th>last</th></tr></thead><tbody>{usage.usage.slice(0, 100).map((u: any) => <tr><td>{u.method}</td><td>{u.caller}</td><td class="num">{u.calls}</td><td>{ago(u.last_at)}</td></tr>)}</tbody></table></Wide></section>}
    </main>
  );
}
