// Words and shapes for states: never colour alone.
import type { ComponentChildren } from "preact";

export const attention = ["", "rolling", "slow", "trouble", "waits for you", "goes back", "held"];
const shapes = ["", "●", "◐", "▲", "❚❚", "↩", "■"];
const kinds = ["", "roll", "slow", "bad", "wait", "bad", "bad"];

export function Attention({ level, why }: { level: number; why: string }) {
  if (!level) return <span class="badge ok" title="nothing is amiss"><i aria-hidden="true">✓</i> ok</span>;
  return <span class={"badge " + kinds[level]} title={why}><i aria-hidden="true">{shapes[level]}</i> {attention[level]}</span>;
}

export const rollWords: Record<string, string> = {
  QUEUED: "queued", ROLLING: "rolling", PAUSED: "paused", HELD: "held", ROLLING_BACK: "goes back", COMPLETED: "completed",
  COMPLETED_WITH_GAPS: "completed with gaps", ROLLED_BACK: "rolled back", SUPERSEDED: "superseded", YIELDED: "ended: app removed",
};
const rollKinds: Record<string, string> = {
  ROLLING: "roll", PAUSED: "wait", HELD: "bad", ROLLING_BACK: "bad", COMPLETED: "ok", COMPLETED_WITH_GAPS: "slow", ROLLED_BACK: "slow",
};
export function RollState({ state }: { state: string }) {
  return <span class={"badge " + (rollKinds[state] ?? "plain")}>{rollWords[state] ?? state}</span>;
}
export const isOpen = (roll: any) => !!roll && ["QUEUED", "ROLLING", "PAUSED", "HELD", "ROLLING_BACK"].includes(roll.state);

export function Bar({ part, of, label }: { part: number; of: number; label: string }) {
  const share = of > 0 ? Math.min(100, (100 * part) / of) : 100;
  return (
    <span class={"bar" + (part < of ? " short" : "")}>
      <span class="bar-track" aria-hidden="true"><span style={{ width: share + "%" }} /></span>
      <span class="num">{label}</span>
    </span>
  );
}

export const plural = (n: number, one: string, many = one + "s") => n + " " + (n === 1 ? one : many);
export const short = (name: string) => (/^[0-9a-f]{40,}$/.test(name) ? name.slice(0, 12) : name);

// A table that may be wider than the window: it scrolls by itself, by keyboard too.
export function Wide({ label, children }: { label: string; children: ComponentChildren }) {
  return <div class="scroll" tabIndex={0} role="region" aria-label={label}>{children}</div>;
}
