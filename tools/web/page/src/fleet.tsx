// All apps: what is amiss first.
import { Component } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { signal } from "@preact/signals";
import { counts, go, place } from "./state";
import { look } from "./live";
import { Attention, Bar, plural, short } from "./words";
import { since } from "./time";

const total = signal(0);
const first = signal(0); // offset of the window
const rows = signal<any[]>([]);
const known = signal(false);
const at = signal(-1); // the row that the keyboard is on, of all
const kRow = 36;
const kPage = 40; // rows above and below what is seen that are there
const kDrawn = 10; // and that are drawn: a row costs a third of a millisecond
const kStep = 10; // rows that are scrolled past before others are drawn
const top = signal(0); // the first row that is seen, in steps
const seen = signal(40); // how many are

function told(event: string, data: any) {
  if (event === "window") {
    total.value = data.total;
    first.value = data.offset;
    rows.value = data.rows;
    known.value = true;
  } else if (event === "patch") {
    const by = new Map<string, any>(data.rows.map((row: any) => [row.guid, row]));
    rows.value = rows.value.map((row) => by.get(row.guid) ?? row);
  }
}

const query = () => new URLSearchParams(place.value.split("?")[1] ?? "");
export function setFilter(text: string) {
  const q = query();
  text ? q.set("q", text) : q.delete("q");
  const all = q.toString();
  at.value = -1;
  go("/" + (all ? "?" + all : ""), true);
}
function setSort(column: string) {
  const q = query();
  const sort = q.get("sort") ?? "-attention";
  q.set("sort", sort === column ? "-" + column : column);
  go("/?" + q.toString(), true);
}

const quick = [["", "all"], ["held", "held"], ["waiting", "waiting for you"], ["rolling", "rolling"], ["crashed", "crashed"], ["unserved", "not served"]];

function Heading({ column, children, class: kind = "" }: any) {
  const sort = query().get("sort") ?? "-attention";
  const on = sort === column || sort === "-" + column;
  return (
    <th scope="col" class={kind} aria-sort={on ? (sort.startsWith("-") ? "descending" : "ascending") : "none"}>
      <button onClick={() => setSort(column)}>{children}{on ? <span aria-hidden="true">{sort.startsWith("-") ? " ↓" : " ↑"}</span> : ""}</button>
    </th>
  );
}

// Counts by itself, so that its row need not be drawn for it.
const Age = ({ at }: { at: string }) => <>{since(at)}</>;

// A row that has not changed is not drawn again.
class Row extends Component<{ row: any; on: boolean }> {
  shouldComponentUpdate(next: { row: any; on: boolean }) {
    return next.row !== this.props.row || next.on !== this.props.on;
  }
  render({ row, on }: { row: any; on: boolean }) {
    const roll = row.roll;
    return (
      <tr class={on ? "on" : ""} style={{ height: kRow + "px" }} onClick={() => go("/apps/" + encodeURIComponent(row.guid))}>
        <td><Attention level={row.attention} why={row.why} /></td>
        <td class="name"><a href={"/apps/" + encodeURIComponent(row.guid)}>{row.guid}</a></td>
        <td class="wide">{row.domain}</td>
        <td><Bar part={row.served} of={row.wanted} label={row.served + " / " + row.wanted} /></td>
        <td class="roll">{roll
          ? <><span class="old">{short(roll.from) || "new"}</span> → <span class="new">{short(roll.to)}</span> <span class="progress"><span class="bar-track" aria-hidden="true"><span style={{ width: (100 * roll.updated) / Math.max(1, roll.instances) + "%" }} /></span><span class="num">{roll.updated}/{roll.instances}</span></span> <span class="dim num wide"><Age at={roll.opened_at} /></span></>
          : <span class="dim">{row.attention ? row.why : ""}</span>}</td>
        <td class="wide">{short(row.definition)}</td>
      </tr>
    );
  }
}

export function Fleet() {
  const q = query();
  const filter = q.get("q") ?? "";
  const sort = q.get("sort") ?? "-attention";
  const box = useRef<HTMLDivElement>(null);
  const offset = useRef(0);
  const ask = (from: number) => {
    offset.current = from;
    look({ view: "apps", filter, sort, offset: from, limit: 3 * kPage }, told);
  };
  useEffect(() => {
    known.value = false;
    ask(0);
  }, [filter, sort]);
  const scrolled = () => {
    const at = Math.floor(box.current!.scrollTop / kRow);
    top.value = at - (at % kStep);
    seen.value = Math.ceil(box.current!.clientHeight / kRow) + kStep;
    const wanted = Math.max(0, at - kPage);
    if (Math.abs(wanted - offset.current) > kPage / 2) ask(wanted);
  };
  useLayoutEffect(() => {
    scrolled();
    addEventListener("resize", scrolled);
    return () => removeEventListener("resize", scrolled);
  }, []);
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      if ((event.target as Element).matches("input, textarea, select") || event.ctrlKey || event.metaKey) return;
      if (event.key === "j" || event.key === "k") {
        at.value = Math.max(0, Math.min(total.value - 1, at.value + (event.key === "j" ? 1 : -1)));
        const y = at.value * kRow;
        const shown = box.current!;
        if (y < shown.scrollTop) shown.scrollTop = y;
        if (y + 2 * kRow > shown.scrollTop + shown.clientHeight) shown.scrollTop = y - shown.clientHeight + 2 * kRow;
      } else if (event.key === "Enter" && at.value >= 0 && !(event.target as Element).closest("a, button")) {
        const row = rows.value[at.value - first.value];
        if (row) go("/apps/" + encodeURIComponent(row.guid));
      }
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, []);
  const from = Math.min(Math.max(first.value, top.value - kDrawn), first.value + rows.value.length);
  const drawn = rows.value.slice(from - first.value, Math.max(0, top.value + seen.value + kDrawn - first.value));
  const below = total.value - from - drawn.length;
  const c = counts.value;
  const number = (value: any, label: string, kind: string, to: string) => (
    <button class={"number " + kind} onClick={() => setFilter(to)}><b class="num">{value ?? "–"}</b><span>{label}</span></button>
  );
  return (
    <main class="fleet">
      <h1 class="hidden">Fleet</h1>
      <div class="numbers">
        {number(c?.apps, "apps", "", "")}
        {number(c && c.served + " / " + c.wanted, "slots served", c?.unserved ? "bad" : "", "unserved")}
        {number(c?.rolls, "rolls open", "", "rolling")}
        {number(c?.held, "held", c?.held ? "bad" : "", "held")}
        {number(c?.waiting, "wait for you", c?.waiting ? "wait" : "", "waiting")}
        <a class={"number " + (c && c.cells_present < c.cells ? "bad" : "")} href="/cells"><b class="num">{c ? c.cells_present + " / " + c.cells : "–"}</b><span>cells present</span></a>
      </div>
      {c && (c.worst
        ? <p class="worst bad"><i aria-hidden="true">▲</i> <a href={"/apps/" + encodeURIComponent(c.worst.split(": ")[0])}>{c.worst}</a></p>
        : <p class="worst ok"><i aria-hidden="true">✓</i> every app is served, and no roll needs you</p>)}
      <div class="filter">
        <input id="filter" type="search" aria-label="Filter" placeholder="filter: held, domain:cf, cell:cell-1, def:v2, or part of a name   ( / )" value={filter}
          onInput={(event) => setFilter((event.target as HTMLInputElement).value)} onKeyDown={(event) => event.key === "Enter" && (box.current?.focus(), (at.value = -1), event.preventDefault())} />
        <span class="quick">{quick.map(([word, label]) => <button class={filter === word ? "on" : ""} aria-pressed={filter === word} onClick={() => setFilter(word)}>{label}</button>)}</span>
        <span class="dim num" role="status">{known.value ? plural(total.value, "app") : ""}</span>
      </div>
      <div class="table" ref={box} onScroll={scrolled} tabIndex={0} role="region" aria-label="Apps">
        <table class="apps">
          <thead><tr>
            <Heading column="attention">state</Heading><Heading column="guid">app</Heading><Heading column="domain" class="wide">domain</Heading>
            <Heading column="served">served</Heading><Heading column="age" class="rolls">roll</Heading><Heading column="definition" class="wide">definition</Heading>
          </tr></thead>
          <tbody>
            {from > 0 && <tr key="above" aria-hidden="true" style={{ height: from * kRow + "px" }}><td colSpan={6} /></tr>}
            {drawn.map((row, i) => <Row key={row.guid} row={row} on={from + i === at.value} />)}
            {below > 0 && <tr key="below" aria-hidden="true" style={{ height: below * kRow + "px" }}><td colSpan={6} /></tr>}
          </tbody>
        </table>
        {known.value && total.value === 0 && <p class="empty">{filter ? "No app fits this filter." : "No app yet: baton apply -f FILE makes one."}</p>}
      </div>
    </main>
  );
}
