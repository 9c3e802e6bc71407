// One app: its roll, its slots, its routes.
import { useEffect, useMemo, useRef } from "preact/hooks";
import { signal } from "@preact/signals";
import { mayOperate, mayWrite, said } from "./state";
import { look } from "./live";
import { ago, now, since, span } from "./time";
import { Attention, isOpen, plural, RollState, rollWords, short } from "./words";
import { Slots, Waits } from "./slots";
import { StepTable, stepsOf, stepsToCome, Timeline } from "./timeline";
import { actionsOf, ask, scale } from "./actions";

const app = signal<any>(null);

// "never below 6 of 6".
function floorWords(s: any, wanted: number): string {
  const most = s.max_unavailable;
  if (!wanted) return "";
  return most?.percent ? `at most ${most.percent} % of ${wanted} not served` : `never below ${Math.max(0, wanted - (most?.count ?? 0))} of ${wanted} served`;
}

const percent = (x: any) => (x?.percent !== undefined ? x.percent + " %" : String(x?.count ?? ""));
function strategyWords(s: any, wanted: number): string {
  if (!s) return "";
  if (s.mode && s.mode !== "ROLLING") return s.mode.toLowerCase().replace(/_/g, " ");
  const failed: Record<string, string> = { ROLLBACK: "goes back when it fails", HOLD: "is held when it fails", CONTINUE: "goes on past slots that fail" };
  return [`${percent(s.max_in_flight)} at a time, at most ${percent(s.max_surge)} more than wanted`, floorWords(s, wanted), failed[s.on_failure], s.stages?.length && plural(s.stages.length, "stage")].filter(Boolean).join("; ");
}

function routeName(route: any): string {
  return route.external_port ? "tcp:" + route.external_port + (route.router_group_guid ? "@" + route.router_group_guid : "") : route.hostname + route.path;
}

// Which definitions serve a route, and how many slots; what nobody serves comes first.
function Routes({ routes, wanted }: { routes: any[]; wanted: number }) {
  if (!routes.length) return null;
  const sorted = [...routes].sort((a, b) => a.endpoints.length - b.endpoints.length);
  const lost = wanted > 0 ? sorted.filter((r) => !r.endpoints.length) : [];
  return (
    <section class={"card" + (lost.length ? " alarm" : "")}>
      <h2>Routes{lost.length > 0 && <span class="bad"> ▲ {plural(lost.length, "route is", "routes are")} not served</span>}</h2>
      <table class="plain"><thead><tr><th>route</th><th>slots</th><th>served by</th></tr></thead><tbody>
        {sorted.map((route) => {
          const by = new Map<string, number>();
          for (const e of route.endpoints) by.set(e.definition, (by.get(e.definition) ?? 0) + 1);
          const slots = new Set(route.endpoints.map((e: any) => e.index)).size;
          return (
            <tr key={routeName(route)}><td class="text">{routeName(route)} <span class="dim">port {route.port}</span></td><td class="num">{slots} / {wanted}</td>
              <td>{by.size ? [...by].map(([d, n]) => short(d) + " × " + n).join(", ") : <span class="bad">▲ nobody</span>}</td></tr>
          );
        })}
      </tbody></table>
    </section>
  );
}

function Stages({ roll }: { roll: any }) {
  const stages = roll.strategy?.stages ?? [];
  if (!stages.length) return null;
  return (
    <ol class="stages">
      {stages.map((stage: any, i: number) => {
        const done = i < roll.stages_done;
        const at = i === roll.stages_done && roll.state === "PAUSED";
        const until = stage.promotion ? "until promoted" : stage.verdict ? "until a verdict" : "for " + Number(stage.duration_ms) / 1000 + " s";
        return <li class={done ? "done" : at ? "at" : ""}>{done ? "✓" : at ? "❚❚" : "○"} {percent(stage.instances)} <small>{until}</small></li>;
      })}
    </ol>
  );
}

function Head({ a }: { a: any }) {
  const roll = a.roll;
  const open = isOpen(roll);
  const wanted = a.desired?.instances ?? 0;
  const general = a.reasons.filter((r: any) => r.index < 0);
  return (
    <header class="apphead">
      <div>
        <h1>{a.guid} {a.row && <Attention level={a.row.attention} why={a.row.why} />}</h1>
        <p class="dim">{a.desired?.domain} · {a.row?.served ?? 0} of {wanted} served · active <b>{short(a.desired?.active_definition ?? "")}</b>
          {a.desired?.healthy_definition && a.desired.healthy_definition !== a.desired.active_definition ? <> · healthy <b>{short(a.desired.healthy_definition)}</b></> : ""} · <a href={"/apps/" + encodeURIComponent(a.guid) + "/definitions"}>definitions</a> · <a href={"/rolls?guid=" + encodeURIComponent(a.guid)}>rolls</a> · <a href={"/events?guid=" + encodeURIComponent(a.guid)}>events</a></p>
        <p class="dim">{strategyWords(roll?.strategy ?? a.desired?.strategy, wanted)}</p>
      </div>
      {mayOperate() && <div class="actions" role="group" aria-label="Actions">
        {actionsOf(a.guid, roll, wanted).map((action) => <button key={action.title} class={action.danger ? "danger" : ""} onClick={() => ask(action)}>{action.button}</button>)}
        {mayWrite() && <button onClick={() => ask(scale(a.guid, wanted))}>Scale</button>}
      </div>}
      {roll && <div class={"rollhead " + (open ? "open" : "")}>
        <p><RollState state={roll.state} /> <span class="old">{short(roll.source_definition) || "new"}</span> → <span class="new">{short(roll.target_definition)}</span>
          {open ? <> <b class="num">{roll.updated} / {roll.instances}</b> updated · {roll.in_flight} in flight · since {since(roll.opened_at)}</> : <> · {ago(roll.finished_at)}</>}
          {roll.actor && <span class="dim"> · asked for by {roll.actor}</span>}</p>
        {roll.reason && <p class="reason">{roll.reason}</p>}
        <Stages roll={roll} />
        {open && general.map((r: any) => <Waits key={r.rule} reason={r} said={roll.reason} />)}
      </div>}
    </header>
  );
}

// "about 5 min to go".
function ToGo({ until }: { until: number }) {
  return until > now.value ? <>, about {span(until - now.value)} to go</> : null;
}

// The roll's steps, and what is still to come of it if nobody does anything.
function RollTimeline({ a }: { a: any }) {
  const open = isOpen(a.roll);
  const ahead = open && a.ahead?.roll_id === a.roll.roll_id && a.ahead.state === a.roll.state ? a.ahead : null;
  const steps = useMemo(() => stepsOf(a.steps), [a.steps]);
  const forecast = useMemo(() => stepsToCome(ahead?.steps ?? [], ahead?.at_ms), [ahead?.at_ms]);
  const until = ahead?.takes_ms ? ahead.at_ms + ahead.takes_ms : 0;
  return (
    <section class="card">
      <h2>Timeline {a.roll && <small class="dim">of the {open ? "open" : "last"} roll{until > 0 && <ToGo until={until} />}</small>}</h2>
      {ahead && !until && <p class="dim">No end is foreseen: {ahead.warnings[0]}</p>}
      <Timeline steps={steps} forecast={forecast} from={ahead?.at_ms} until={ahead?.more ? 0 : until} roll={a.roll} />
      {ahead?.more > 0 && <p class="dim">and {plural(ahead.more, "step")} after those that are dashed</p>}
    </section>
  );
}

export function AppScreen({ guid }: { guid: string }) {
  const state = useRef("");
  useEffect(() => {
    app.value = null;
    look({ view: "app", guid }, (event, data) => {
      if (event !== "app" || data.guid !== guid) return;
      app.value = data;
      const word = data.roll ? rollWords[data.roll.state] : "no roll";
      if (state.current && state.current !== word) said.value = guid + ": " + word;
      state.current = word;
    });
    const key = (event: KeyboardEvent) => {
      if (event.key !== "p" || event.ctrlKey || event.metaKey || (event.target as Element).closest("input, textarea, select, dialog")) return;
      const pause = actionsOf(guid, app.value?.roll, app.value?.desired?.instances ?? 0).find((a) => a.button === "Pause" || a.button === "Resume");
      if (pause) ask(pause);
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, [guid]);
  const a = app.value;
  if (!a) return <main><p class="empty">looking at {guid} …</p></main>;
  if (!a.found && !a.instances.length) return <main><h1>{guid}</h1><p class="empty">There is no such app (any more). <a href={"/rolls?guid=" + encodeURIComponent(guid)}>Its last rolls</a></p></main>;
  const lost = a.desired?.instances > 0 && a.routes.some((r: any) => !r.endpoints.length);
  const routes = <Routes routes={a.routes} wanted={a.desired?.instances ?? 0} />;
  return (
    <main class="app">
      {lost && routes}
      <Head a={a} />
      <div class="columns">
        <section class="card"><h2>Slots</h2><Slots app={a} /></section>
        <div>
          <RollTimeline a={a} />
          {!lost && routes}
          <section class="card"><h2>Steps</h2><StepTable steps={a.steps} /></section>
        </div>
      </div>
    </main>
  );
}
