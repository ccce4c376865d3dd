// The marks: slow interactions, long tasks and their like first, the worst at the top
// and equal ones together; then the newest of the rest. A row shows its stretch of time, with
// what is to blame, and its flame graph.
import { Chart } from "./chart";
import { describeBox } from "./functions";
import { isSlow, lengthOf, whatOf, type Mark } from "./mark";
import { Rows } from "./rows";
import type { Store } from "./store";
import { printable } from "./printable";
import { apart, duration, element, moment } from "./text";

const isSame = (a: Mark, b?: Mark) => b !== undefined && a.start === b.start && a.what === b.what && a.name === b.name && a.detail === b.detail;
const keyOf = ({ what, name, target, detail }: Mark) => JSON.stringify([what, name, target ?? detail]);

/** A long task within a slow interaction is listed with the rest. */
const isWorst = (mark: Mark) => isSlow(mark) && !mark.part;

/** Marks of one kind, name and target, the worst first. */
export type Group = [worst: Mark, ...rest: Mark[]];

/** Slow ones in groups, the worst first; then the rest, each by itself, the newest first. */
export function grouped(marks: readonly Mark[]): Group[] {
  const groups = new Map<string, Group>();
  for (const mark of marks.filter(isWorst).sort((a, b) => lengthOf(b) - lengthOf(a) || b.start - a.start)) {
    const group = groups.get(keyOf(mark));
    if (group) group.push(mark);
    else groups.set(keyOf(mark), [mark]);
  }
  const rest = marks.filter((mark) => !isWorst(mark)).sort((a, b) => b.start - a.start);
  return [...groups.values(), ...rest.map((mark): Group => [mark])];
}

interface Row {
  mark: Mark;
  level: 1 | 2;
  /** All of them, in the row of a group. */
  group?: Group;
}

export class Marks {
  readonly host: HTMLElement;
  private readonly table: Rows;
  private readonly none = element("p", { class: "none" }, "Nothing is marked. Slow interactions and long tasks appear here, and what a page marks itself: performance.mark, performance.measure and frame data.");
  private readonly detail = element("div", { class: "detail", hidden: true });
  private readonly title = element("h2");
  private readonly said = element("p");
  private readonly parts = element("dl", { class: "parts" });
  private readonly chart: Chart;
  private readonly open = new Set<string>();
  private rows: Row[] = [];
  private chosen: Mark | undefined;

  constructor(private readonly store: Store) {
    this.table = new Rows({
      label: "Marks",
      role: "treegrid",
      heads: ["at", "length", "what", "name"].map((text) => element("th", { scope: "col" }, text)),
      line: (i) => this.lineOf(this.rows[i]),
      mark: (line, i) => line.setAttribute("aria-selected", String(!this.rows[i].group && isSame(this.rows[i].mark, this.chosen))),
      click: (i) => this.choose(i),
      acts: { choose: (i) => this.choose(i), open: (i) => this.toggle(i, true), close: (i) => this.toggle(i, false) },
    });
    this.chart = new Chart(store, { label: "Flame graph of the mark", describe: (box) => describeBox(store, box) });
    this.detail.append(this.title, this.said, this.parts, this.chart.host);
    this.host = element("div", { class: "marks" }, this.none, this.table.host, this.detail);
    store.onChange((changed) => {
      if (!this.host.isConnected) return;
      if (store.isOther(changed)) this.showDetail("show");
      if (LIVE && changed === "data") this.update();
    });
  }

  fill() {
    this.list();
    this.table.show(this.rows.length, "first");
    this.showDetail("show");
  }

  private update() {
    if (!LIVE) return;
    const active = this.rows[this.table.activeRow];
    if (this.chosen) this.chosen = { ...this.chosen, start: this.chosen.start - this.store.shift, end: this.chosen.end - this.store.shift };
    this.list();
    this.table.update(this.rows.length, active ? this.rows.findIndex(({ level, mark }) => level === active.level && keyOf(mark) === keyOf(active.mark) && (level === 1 || isSame(mark, active.mark))) : 0);
    this.showDetail("update");
  }

  private list() {
    this.rows = grouped(this.store.marks).flatMap((group): Row[] => {
      const [mark] = group;
      if (group.length === 1) return [{ mark, level: 1 }];
      const inside = this.open.has(keyOf(mark)) ? group.map((mark): Row => ({ mark, level: 2 })) : [];
      return [{ mark, level: 1, group }, ...inside];
    });
    this.none.hidden = this.rows.length > 0;
    this.table.host.hidden = this.rows.length === 0;
  }

  private lineOf({ mark, level, group }: Row): HTMLTableRowElement {
    const { profile } = this.store;
    const times = group ? `${group.length} times, ${moment(profile, group.reduce((all, mark) => all + lengthOf(mark), 0))} in all` : "";
    const name = element("td", { class: "function" }, element("span", { class: "name" }, mark.name || mark.what), element("span", { class: "place" }, ...apart([mark.target ?? "", times || mark.said || mark.detail || ""].map((part) => part.slice(0, 300)))));
    if (group) name.prepend(element("span", { class: "twist", "aria-hidden": "true" }, "▸"));
    if (level === 2) name.style.paddingInlineStart = "22px";
    const cells = [group ? "" : moment(profile, mark.start), lengthOf(mark) > 0 ? moment(profile, lengthOf(mark)) : ""].map((text) => element("td", {}, text));
    const line = element("tr", { role: "row", "aria-level": level, class: isSlow(mark) ? "slow" : "" }, ...cells, element("td", { class: "kind" }, whatOf(mark)), name);
    if (group) line.setAttribute("aria-expanded", String(this.open.has(keyOf(mark))));
    return line;
  }

  private toggle(i: number, isOpen: boolean) {
    const { group, mark } = this.rows[i];
    if (!group || this.open.has(keyOf(mark)) === isOpen) return;
    if (isOpen) this.open.add(keyOf(mark));
    else this.open.delete(keyOf(mark));
    this.list();
    this.table.show(this.rows.length, "here");
  }

  /** Opens or closes a group; of a mark, shows the stretch. */
  private choose(i: number) {
    const { mark, group } = this.rows[i];
    if (group) return this.toggle(i, !this.open.has(keyOf(mark)));
    this.chosen = mark;
    const around = lengthOf(mark) > 0 ? 0 : 10 * this.store.profile.unit; // of a moment
    this.store.setRange([mark.start - around, mark.end + around]);
    this.table.mark();
  }

  private showDetail(how: "show" | "update") {
    const { chosen, store } = this;
    this.detail.hidden = !chosen;
    if (!chosen) return;
    this.title.replaceChildren(...apart([chosen.name, chosen.target ?? ""]));
    this.said.textContent = printable(chosen.said ?? chosen.detail ?? "");
    const parts = ["input delay", "processing", "presentation"].map((name, i): [string, number] => [name, chosen.parts?.[i] ?? 0]);
    this.parts.replaceChildren(...(chosen.parts ?? [0]).some((ms) => ms > 0) ? parts.map(([name, ms]) => element("div", {}, element("dt", {}, name), element("dd", {}, duration(ms)))) : []);
    this.chart[how](store.flame);
  }
}
