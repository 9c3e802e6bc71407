// The definitions of an app that are kept, and what differs between two of them.
import { useEffect, useState } from "preact/hooks";
import { call, list } from "./api";
import { mayOperate } from "./state";
import { look } from "./live";
import { clock } from "./time";
import { short, Wide } from "./words";
import { ask, pin, retire, undoTo } from "./actions";
import { useCall } from "./other_screens";

function flat(value: any, path = "", out: Record<string, string> = {}): Record<string, string> {
  if (value !== null && typeof value === "object") {
    for (const [key, inner] of Object.entries(value)) flat(inner, Array.isArray(value) ? path + "[" + key + "]" : path ? path + "." + key : key, out);
  } else {
    out[path] = JSON.stringify(value);
  }
  return out;
}

const kRedacted = JSON.stringify("<redacted>");
// "environment_variables VERSION" for run_info.environment_variables[0].value.
function named(path: string, answer: any): string {
  const [, list, at] = /([a-z_]+)\[(\d+)\]\.value$/.exec(path) ?? [];
  const entry = list && answer.definition.definition.run_info?.[list]?.[Number(at)]?.name;
  return entry ? list.replace(/_/g, " ") + " " + entry : path;
}

function Difference({ guid, one, other }: { guid: string; one: string; other: string }) {
  const [got, fault] = useCall(
    () => Promise.all([one, other].map((name) => call("Definitions/GetDefinition", { process_guid: guid, definition_identifier: name }))), [guid, one, other].join(" "));
  if (fault) return <p class="bad" role="alert">{fault}</p>;
  if (!got) return null;
  const [a, b] = got.map((answer: any) => flat(answer.definition.definition));
  const all = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
  const names = all.filter((name) => a[name] !== b[name] && name !== "definition_identifier" && name !== "content_hash");
  // Both are "<redacted>": whether they differ is known only where nothing else explains another hash.
  const secret = all.filter((name) => a[name] === kRedacted && b[name] === kRedacted);
  return (
    <section class="card"><h2>From <span class="old">{short(one)}</span> to <span class="new">{short(other)}</span></h2>
      {a.content_hash === b.content_hash ? <p class="empty">They say the same.</p> : names.length === 0
        ? <p>All that is shown of them is the same: what differs is a value that is not shown.</p>
        : <Wide label="Fields that differ"><table class="plain"><thead><tr><th>field</th><th>{short(one)}</th><th>{short(other)}</th></tr></thead><tbody>
          {names.map((name) => <tr key={name}><td class="text">{name}</td><td class="text old">{a[name] ?? "—"}</td><td class="text new">{b[name] ?? "—"}</td></tr>)}
        </tbody></table></Wide>}
      {a.content_hash !== b.content_hash && secret.length > 0 && <p class="dim">Not shown, and perhaps different: {secret.map((name) => named(name, got[0])).join(", ")}.</p>}
    </section>
  );
}

export function Definitions({ guid }: { guid: string }) {
  const [chosen, choose] = useState<string[]>([]);
  useEffect(() => look({ view: "none" }, () => {}), []);
  const [listed, fault] = useCall(() => list("Definitions/ListDefinitions", { process_guid: guid }, "definitions"), guid, 3);
  const all = [...(listed ?? [])].sort((x: any, y: any) => Number(BigInt(y.created_at) - BigInt(x.created_at)));
  const pair = chosen.length === 2 ? chosen : all.length > 1 && !chosen.length ? [all[1].definition_identifier, all[0].definition_identifier] : [];
  const tick = (name: string) => choose(chosen.includes(name) ? chosen.filter((c) => c !== name) : [...chosen.slice(-1), name]);
  return (
    <main>
      <h1>Definitions of <a href={"/apps/" + encodeURIComponent(guid)}>{guid}</a></h1>
      {fault && <p class="bad" role="alert">{fault}</p>}
      <Wide label="Definitions">
        <table class="plain"><thead><tr><th>compare</th><th>name</th><th>content</th><th>made</th><th>proven</th><th>kept because</th><th>instances</th><th>size</th><th /></tr></thead>
          <tbody>{all.map((d: any) => (
            <tr key={d.definition_identifier}>
              <td><input type="checkbox" aria-label={"compare " + d.definition_identifier} checked={pair.includes(d.definition_identifier)} onChange={() => tick(d.definition_identifier)} /></td>
              <td><b>{short(d.definition_identifier)}</b></td><td class="num">{d.content_hash.slice(0, 12)}</td><td class="num">{clock(d.created_at)}</td><td class="num">{clock(d.proven_at) || "not yet"}</td>
              <td>{d.kept_because.map((k: string) => k.replace("KEEP_REASON_", "").toLowerCase().replace(/_/g, " ")).join(", ")}</td><td class="num">{d.instances}</td><td class="num">{d.size_bytes} B</td>
              <td>{mayOperate() && <div class="actions" role="group" aria-label={"Actions of " + d.definition_identifier}><button onClick={() => ask(pin(d))}>{d.pinned ? "Unpin" : "Pin"}</button>
                {d.instances > 0 && <button class="danger" onClick={() => ask(retire(guid, d.definition_identifier, d.instances))}>Retire</button>}
                {d.proven_at !== "0" && !d.kept_because.includes("KEEP_REASON_ACTIVE") && <button class="danger" onClick={() => ask(undoTo(guid, d.definition_identifier))}>Go back to it</button>}</div>}</td>
            </tr>))}</tbody></table>
      </Wide>
      {pair.length === 2 && <Difference key={pair.join()} guid={guid} one={pair[0]} other={pair[1]} />}
    </main>
  );
}
