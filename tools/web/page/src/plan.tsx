// An app file that is only looked at, and then applied as it was planned.
import { useEffect, useState } from "preact/hooks";
import { call, post } from "./api";
import { go, mayOperate, mayWrite, tell } from "./state";
import { look } from "./live";
import { span } from "./time";
import { plural, short } from "./words";
import { stepsToCome, Timeline } from "./timeline";

export function Plan() {
  const [yaml, setYaml] = useState("");
  const [got, setGot] = useState<any>(null);
  const [faults, setFaults] = useState<any[]>([]);
  const [busy, setBusy] = useState(false);
  useEffect(() => look({ view: "none" }, () => {}), []);
  const read = async (file?: File) => file && (setYaml(await file.text()), setGot(null));
  const plan = async () => {
    setBusy(true);
    setFaults([]);
    setGot(null);
    try {
      setGot(await post("/api/plan", { yaml }));
    } catch (error: any) {
      setFaults(error.body?.faults ?? [{ line: 0, message: error.message }]);
    }
    setBusy(false);
  };
  const apply = async () => {
    setBusy(true);
    try {
      await call("DesiredLRPs/" + got.method, got.request);
      tell("applied as planned");
      go("/apps/" + encodeURIComponent(got.request.process_guid ?? got.request.desired_lrp.process_guid));
    } catch (error: any) {
      setFaults([{ line: 0, message: error.code === "aborted" ? "The app has changed since it was planned: plan anew. " + error.message : error.message }]);
      setGot(null);
    }
    setBusy(false);
  };
  const p = got?.plan;
  const steps = stepsToCome(p?.steps ?? [], 1);
  if (!mayOperate()) return <main><h1>Plan</h1><p class="empty">A viewer plans nothing: ask for the role operator.</p></main>;
  return (
    <main>
      <h1>Plan</h1>
      <div class="card" onDragOver={(e) => e.preventDefault()} onDrop={(e) => (e.preventDefault(), read(e.dataTransfer?.files[0]))}>
        <label>App file, as for <code>baton apply -f</code>: drop it here, or paste it
          <textarea rows={14} spellcheck={false} value={yaml} onInput={(e) => setYaml((e.target as HTMLTextAreaElement).value)} /></label>
        <div class="buttons"><label class="file">Open a file<input type="file" accept=".yaml,.yml,.json" onChange={(e) => read((e.target as HTMLInputElement).files?.[0])} /></label>
          <button class="main" disabled={busy || !yaml.trim()} onClick={plan}>See what it would do</button></div>
        {faults.map((f) => <p class="bad" role="alert"><i aria-hidden="true">▲</i> {f.line ? `line ${f.line}, column ${f.column}: ` : ""}{f.message}</p>)}
      </div>
      {p && <section class="card"><h2>{p.changes.length ? plural(p.changes.length, "change") : "Nothing would change"}</h2>
        {p.changes.length > 0 && <table class="plain"><thead><tr><th>field</th><th>now</th><th>then</th></tr></thead><tbody>
          {p.changes.map((c: any) => <tr key={c.field}><td class="text">{c.field}</td><td class="text old">{c.before || "—"}</td><td class="text new">{c.after || "—"}</td></tr>)}</tbody></table>}
        {p.opens_roll && <p>A roll <span class="old">{short(p.source_definition) || "new"}</span> → <span class="new">{short(p.target_definition)}</span>: {plural(p.restarts, "instance is", "instances are")} started anew,
          {" "}{Number(p.takes_ms) ? "about " + span(Number(p.takes_ms)) : "no end is foreseen"}; at most {p.peak_instances} at once ({p.peak_memory_mb} MiB, {p.memory_free_mb} MiB are free), never below {p.least_served} served.</p>}
        {p.warnings.map((w: string) => <p class="bad"><i aria-hidden="true">▲</i> {w}</p>)}
        {steps.length > 0 && <Timeline steps={[]} forecast={steps} until={Number(p.takes_ms) + 1} roll={{ target_definition: p.target_definition }} />}
        {mayWrite() ? p.changes.length > 0 && <div class="buttons"><button class="main" disabled={busy} onClick={apply}>Apply this plan</button></div>
          : <p class="dim">Applying it takes the role admin.</p>}
      </section>}
    </main>
  );
}
