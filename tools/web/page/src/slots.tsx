// The app slot by slot: what holds it, what is to take it, and what it waits for.
import { now, ms, since, span } from "./time";
import { plural, short } from "./words";

const kSlots = 2000; // drawn where nothing is in them

const order = ["RETIRING", "EVACUATING", "SUSPECT", "ORDINARY", "SURGE"];
const roles: Record<string, string> = { ORDINARY: "holds the slot", SURGE: "newcomer", SUSPECT: "its cell is missing", EVACUATING: "its cell drains", RETIRING: "goes" };

function stage(lrp: any): string {
  if (lrp.presence === "RETIRING") return lrp.stop_ordered_at !== "0" ? "stopping" : "draining";
  if (lrp.state === "RUNNING") return lrp.routable ? "ready" : "runs, not ready";
  if (lrp.state === "CLAIMED") return "starting";
  return lrp.state.toLowerCase();
}

// What routers say of an instance of an app that rolls.
function loadWords(load: any): string {
  if (!load) return "";
  const rate = load.requests_per_s;
  return plural(load.sessions, "session") + (rate === null ? "" : ", " + (rate < 10 ? rate.toFixed(1) : Math.round(rate)) + " req/s");
}

function Chip({ lrp, target, routers, load }: { lrp: any; target: string; routers: number; load: any }) {
  const fresh = lrp.definition_identifier === target;
  const word = stage(lrp);
  const kind = (fresh ? "new" : "old") + (word === "ready" ? " filled" : "") + (word === "crashed" ? " bad" : "");
  const cell = lrp.instance_key?.cell_id;
  return (
    <div class={"chip " + kind}>
      <b>{short(lrp.definition_identifier)}</b> <span class="state">{word === "crashed" ? "✕ " : word === "ready" ? "● " : "○ "}{word}</span>
      <small>{[roles[lrp.presence], cell, word === "ready" && since(lrp.routable_since), lrp.state === "RUNNING" && lrp.presence !== "RETIRING" && routers > 0 && (lrp.applied_by?.length ?? 0) + "/" + routers + " routers",
        lrp.presence === "RETIRING" && routers > 0 && (lrp.drained_by?.length ?? 0) + "/" + routers + " drained", lrp.crash_count > 0 && plural(lrp.crash_count, "crash", "crashes"), loadWords(load)].filter(Boolean).join(" · ")}</small>
      {(lrp.placement_error || (word === "crashed" && lrp.crash_reason)) && <small class="bad">{lrp.placement_error || lrp.crash_reason}</small>}
    </div>
  );
}

// What something waits for; `said` is what stands above it already.
export function Waits({ reason, said = "" }: { reason: any; said?: string }) {
  const left = ms(reason.until) - now.value;
  return (
    <p class="waits">
      {reason.text !== said && reason.text}{ms(reason.since) > 0 && <span class="dim">{reason.text !== said && " · "}for {since(reason.since)}</span>}
      {left > 0 && <b class="num"> · {span(left)} left</b>}
      {reason.unblocks && <span class="dim"> · unblocked by: {reason.unblocks}</span>}
    </p>
  );
}

export function Slots({ app }: { app: any }) {
  const roll = app.roll;
  const target = roll && roll.slots?.length ? (roll.state === "ROLLING_BACK" ? roll.source_definition : roll.target_definition) : app.desired?.active_definition ?? "";
  const by = new Map<number, any[]>();
  for (const lrp of app.instances) by.set(lrp.index, [...(by.get(lrp.index) ?? []), lrp]);
  const wanted = app.desired?.instances ?? 0;
  for (let i = 0; i < Math.min(wanted, kSlots); i++) if (!by.has(i)) by.set(i, []);
  const waits = new Map<number, any>(app.reasons.filter((r: any) => r.index >= 0).map((r: any) => [r.index, r]));
  const slots = [...by.entries()].sort((a, b) => a[0] - b[0]);
  const both = app.instances.some((l: any) => l.definition_identifier !== target) && app.instances.some((l: any) => l.definition_identifier === target);
  if (!slots.length) return <p class="empty">It wants no instances, and none is there.</p>;
  return (
    <div class={"slots" + (both ? " both" : "")} tabIndex={0} role="region" aria-label="Slots">
      {both && <div class="lanes kinds" aria-hidden="true"><span class="old">old</span><span class="new">new: {short(target)}</span></div>}
      {slots.map(([index, lrps]) => {
        const served = lrps.some((l) => l.state === "RUNNING" && l.routable && l.presence !== "RETIRING");
        return (
          <section class={"slot" + (served ? "" : " unserved")} key={index} aria-label={"slot " + index}>
            <h3>slot {index}{!served && <span class="bad"> ▲ not served</span>}</h3>
            <div class="lanes">
              {lrps.sort((a, b) => order.indexOf(a.presence) - order.indexOf(b.presence)).map((lrp) => <Chip key={lrp.actual_id} lrp={lrp} target={target} routers={app.routers.length} load={app.loads[lrp.actual_id]} />)}
              {!lrps.length && <div class="chip none">nothing</div>}
              {waits.has(index) && <Waits reason={waits.get(index)} />}
            </div>
          </section>
        );
      })}
      {wanted > kSlots && <p class="dim">and {wanted - kSlots} more; those with an instance are above</p>}
    </div>
  );
}
