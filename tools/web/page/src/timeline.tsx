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

export function Timeline({ steps, forecast, roll }: { steps: Step[]; forecast?: Step[]; roll: any }) {
  const [shown, setShown] = useState<Step | null>(null);
  const [width, setWidth] = useState(600);
  const [chosen, choose] = useState<number | null>(null); // the first lane that is shown; until somebody chooses: what moves
  const box = useRef<HTMLElement>(null);
  // A unit of the drawing is a pixel: its words stay as large as all others.
  useLayoutEffect(() => {
    if (!box.current) return;
    const watch = new ResizeObserver(([entry]) => setWidth(Math.max(240, Math.floor(entry.contentRect.width))));
    watch.observe(box.current);
    return () => watch.disconnect();
  }, [steps.length + (forecast?.length ?? 0) > 0]);
  const all = [...steps, ...(forecast ?? [])].filter((s) => s.at > 0);
  if (!all.length) return <p class="empty">No step was taken yet.</p>;
  const open = isOpen(roll);
  const from = Math.min(...all.map((s) => s.at));
  const to = Math.max(...all.map((s) => s.at), open && !forecast ? now.value : 0, from + 1000);
  const slots = [...new Set(all.filter((s) => s.index >= 0).map((s) => s.index))].sort((a, b) => a - b);
  const moves = open && !forecast ? all.reduce((last, s) => (s.index >= 0 && s.at > last.at ? s : last), { at: 0, index: -1 }).index : -1;
  const first = Math.min(chosen ?? pageOf(slots.indexOf(moves)), pageOf(slots.length - 1));
  const lanes = slots.slice(first, first + kLanes);
  const left = 50, row = 22, top = 18;
  const x = (at: number) => left + ((width - left - 8) * (at - from)) / (to - from);
  const height = top + Math.max(1, lanes.length) * row + 22;
  const segments = lanes.flatMap((lane, i) => {
    const own = all.filter((s) => s.index === lane).sort((a, b) => a.at - b.at);
    return own.map((step, n) => {
      // A newcomer that failed is withdrawn, too: nothing drains then.
      const kind = step.kind === "withdrawn" && own[n - 1]?.kind !== "handed_over" ? "" : begins[step.kind];
      const end = own[n + 1]?.at ?? (open && !forecast ? now.value : step.at);
      const fresh = step.definition === roll?.target_definition;
      return (
        <g key={lane + "." + n} tabIndex={0} role="img" aria-label={`slot ${lane}, ${step.kind}: ${step.text}`} onMouseEnter={() => setShown(step)} onFocus={() => setShown(step)}>
          {kind && <rect class={"seg " + kind + (forecast ? " ahead" : "") + (fresh ? " new" : " old")} x={x(step.at)} y={top + i * row + 4} width={Math.max(2, x(end) - x(step.at))} height={row - 9} rx={3} />}
          <circle class={"dot" + (step.kind === "attempt_failed" ? " bad" : "")} cx={x(step.at)} cy={top + i * row + row / 2} r={step.kind === "attempt_failed" ? 5 : 3} />
        </g>
      );
    });
  });
  return (
    <figure class="timeline" ref={box}>
      <Lanes slots={slots} first={first} choose={choose} />
      <svg width={width} height={height} role="group" aria-label="timeline of the roll">
        {lanes.map((lane, i) => (
          <g key={lane}><text x={0} y={top + i * row + row / 2 + 4}>slot {lane}</text><line class="lane" x1={left} x2={width - 8} y1={top + i * row + row / 2} y2={top + i * row + row / 2} /></g>
        ))}
        {segments}
        {open && !forecast && <line class="now" x1={x(now.value)} x2={x(now.value)} y1={4} y2={height - 18} />}
        <text x={left} y={height - 4}>{forecast ? "0" : clock(String(from * 1e6))}</text>
        <text x={width - 8} y={height - 4} text-anchor="end">{span(to - from)}</text>
      </svg>
      <figcaption>
        <span class="legend">{Object.entries(label).map(([kind, word]) => <span><i class={"swatch " + kind} aria-hidden="true" /> {word}</span>)}<span>✕ failed attempt</span></span>
        <span class="shown">{shown ? `slot ${shown.index}: ${shown.kind.replace(/_/g, " ")} — ${shown.text}` : "point at a step to read it"}</span>
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
