// A roll on a line of time: a lane a slot, from its durable steps; a forecast is dashed.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { clock, ms, now, span } from "./time";
import { isOpen } from "./words";

// What begins with a step.
const begins: Record<string, string> = {
  surged: "surge", replaced: "surge", filled: "surge", repaired: "surge", proven: "", handed_over: "hand", withdrawn: "drain", stop_ordered: "stop",
  attempt_failed: "", retired: "", trimmed: "", evacuating: "surge",
};
const label: Record<string, string> = { surge: "surge and prove", hand: "hand over", drain: "drain", stop: "stop" };

const kLanes = 60; // on screen at once
const kSteps = 500;

export interface Step { at: number; kind: string; index: number; text: string; definition: string; actor: string }

export function stepsOf(steps: any[]): Step[] {
  return steps.map((s) => ({ at: ms(s.at), kind: s.kind, index: s.index, text: s.text, definition: s.definition_identifier, actor: s.actor }));
}

// A forecast's, which counts from `from` in milliseconds.
export function stepsToCome(steps: any[], from: number): Step[] {
  return steps.map((s) => ({ at: from + Number(s.at_ms), kind: s.kind, index: s.index, text: s.text, definition: s.definition_identifier, actor: "" }));
}

const pageOf = (lane: number) => kLanes * Math.floor(Math.max(0, lane) / kLanes);

// Which of the slots have a lane now, and the way to the others.
function Lanes({ slots, first, choose }: { slots: number[]; first: number; choose: (first: number) => void }) {
  if (slots.length <= kLanes) return null;
  const last = Math.min(first + kLanes, slots.length);
  return (
    <p class="pages" role="group" aria-label="Slots of the timeline">
      <button disabled={first === 0} aria-label="Slots before" onClick={() => choose(first - kLanes)}>↑</button>
      <button disabled={last === slots.length} aria-label="Slots after" onClick={() => choose(first + kLanes)}>↓</button>
      <span class="num">slots {slots[first]} to {slots[last - 1]}, and {slots.length - (last - first)} more</span>
    </p>
  );
}

interface Segment { step: Step; kind: string; end: number; ahead: boolean; dot: boolean }

// Of one lane. `here`: the end of what is under way; 0: nothing is. `until`: of what the forecast begins last.
function segmentsOf(past: Step[], ahead: Step[], here: number, until: number): Segment[] {
  // A newcomer that failed is withdrawn, too: nothing drains then.
  const kind = (step: Step, before?: Step) => (step.kind === "withdrawn" && before?.kind !== "handed_over" ? "" : begins[step.kind] ?? "");
  const segments = past.map((step, n) => ({ step, kind: kind(step, past[n - 1]), end: past[n + 1]?.at ?? (here || step.at), ahead: false, dot: true }));
  const last = segments.at(-1);
  if (last && ahead.length) segments.push({ ...last, step: { ...last.step, at: here }, end: ahead[0].at, ahead: true, dot: false });
  const before = [past.at(-1), ...ahead];
  return [...segments, ...ahead.map((step, n) => ({ step, kind: kind(step, before[n]), end: ahead[n + 1]?.at ?? Math.max(until, step.at), ahead: true, dot: true }))];
}

// What was foretold at `from` and has not happened since.
function stillToCome(forecast: Step[], from: number, here: number, past: Step[]): Step[] {
  const name = (s: Step) => [s.index, s.kind, s.definition].join();
  const done = new Set(past.filter((s) => s.at >= from).map(name));
  return forecast.filter((s) => s.at > here && !done.has(name(s)));
}

// `forecast`: steps that are still to come, as they were foretold at `from`, the roll's end at `until`.
export function Timeline({ steps, forecast = [], from: foretold = 0, until = 0, roll }: { steps: Step[]; forecast?: Step[]; from?: number; until?: number; roll: any }) {
  const [shown, setShown] = useState<{ step: Step; ahead: boolean } | null>(null);
  const [width, setWidth] = useState(600);
  const [chosen, choose] = useState<number | null>(null); // the first lane that is shown; until somebody chooses: what moves
  const box = useRef<HTMLElement>(null);
  // A unit of the drawing is a pixel: its words stay as large as all others.
  useLayoutEffect(() => {
    if (!box.current) return;
    const watch = new ResizeObserver(([entry]) => setWidth(Math.max(240, Math.floor(entry.contentRect.width))));
    watch.observe(box.current);
    return () => watch.disconnect();
  }, [steps.length + forecast.length > 0]);
  const here = isOpen(roll) && steps.length ? now.value : 0;
  const past = steps.filter((s) => s.at > 0);
  const ahead = stillToCome(forecast, foretold, here, past);
  const all = [...past, ...ahead];
  if (!all.length) return <p class="empty">No step was taken yet.</p>;
  const from = Math.min(...all.map((s) => s.at));
  const to = Math.max(...all.map((s) => s.at), here, until, from + 1000);
  const slots = [...new Set(all.filter((s) => s.index >= 0).map((s) => s.index))].sort((a, b) => a - b);
  const moves = here ? past.reduce((last, s) => (s.index >= 0 && s.at > last.at ? s : last), { at: 0, index: -1 }).index : -1;
  const first = Math.min(chosen ?? pageOf(slots.indexOf(moves)), pageOf(slots.length - 1));
  const lanes = slots.slice(first, first + kLanes);
  const left = 50, row = 22, top = 18;
  const x = (at: number) => left + ((width - left - 8) * (at - from)) / (to - from);
  const height = top + Math.max(1, lanes.length) * row + 22;
  const of = (of: Step[], lane: number) => of.filter((s) => s.index === lane).sort((a, b) => a.at - b.at);
  const segments = lanes.flatMap((lane, i) => segmentsOf(of(past, lane), of(ahead, lane), here, until).map(({ step, kind, end, ahead, dot }, n) => (
    <g key={lane + "." + n} tabIndex={dot ? 0 : undefined} role="img" aria-hidden={!dot} aria-label={`slot ${lane}, ${ahead ? "to come: " : ""}${step.kind}: ${step.text}`} onMouseEnter={() => setShown({ step, ahead })} onFocus={() => setShown({ step, ahead })}>
      {kind && <rect class={"seg " + kind + (ahead ? " ahead" : "") + (step.definition === roll?.target_definition ? " new" : " old")} x={x(step.at)} y={top + i * row + 4} width={Math.max(2, x(end) - x(step.at))} height={row - 9} rx={3} />}
      {dot && <circle class={"dot" + (step.kind === "attempt_failed" ? " bad" : "") + (ahead ? " ahead" : "")} cx={x(step.at)} cy={top + i * row + row / 2} r={step.kind === "attempt_failed" ? 5 : 3} />}
    </g>
  )));
  return (
    <figure class="timeline" ref={box}>
      <Lanes slots={slots} first={first} choose={choose} />
      <svg width={width} height={height} role="group" aria-label="timeline of the roll">
        {lanes.map((lane, i) => (
          <g key={lane}><text x={0} y={top + i * row + row / 2 + 4}>slot {lane}</text><line class="lane" x1={left} x2={width - 8} y1={top + i * row + row / 2} y2={top + i * row + row / 2} /></g>
        ))}
        {segments}
        {here > 0 && <line class="now" x1={x(here)} x2={x(here)} y1={4} y2={height - 18} />}
        <text x={left} y={height - 4}>{past.length ? clock(String(from * 1e6)) : "0"}</text>
        <text x={width - 8} y={height - 4} text-anchor="end">{span(to - from)}</text>
      </svg>
      <figcaption>
        <span class="legend">{Object.entries(label).map(([kind, word]) => <span><i class={"swatch " + kind} aria-hidden="true" /> {word}</span>)}<span>✕ failed attempt</span></span>
        <span class="shown">{shown ? `slot ${shown.step.index}${shown.ahead ? ", to come" : ""}: ${shown.step.kind.replace(/_/g, " ")} — ${shown.step.text}` : "point at a step to read it"}</span>
      </figcaption>
    </figure>
  );
}

export function StepTable({ steps }: { steps: any[] }) {
  const left = steps.length - kSteps;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Steps">
      <table class="plain">
        <thead><tr><th>when</th><th>slot</th><th>what</th><th>why</th><th>who</th></tr></thead>
        <tbody>{[...steps].reverse().slice(0, kSteps).map((s) => (
          <tr key={s.sequence}><td class="num">{clock(s.at)}</td><td class="num">{s.index < 0 ? "" : s.index}</td><td>{s.kind.replace(/_/g, " ")}</td><td class="text">{s.text}</td><td>{s.actor === "baton" ? "" : s.actor}</td></tr>
        ))}</tbody>
      </table>
      {left > 0 && <p class="dim">and {left} before them</p>}
    </div>
  );
}
