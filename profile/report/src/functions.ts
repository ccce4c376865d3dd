// All functions in one list, and next to it the selected one: its callers, its callees
// and its lines.
import { around } from "./bands";
import { Chart } from "./chart";
import type { Box } from "./layers";
import { Lines } from "./lines";
import { Rows } from "./rows";
import type { Store } from "./store";
import { amount, apart, element, place, points, share } from "./text";

type Order = "self" | "total" | "change" | "name";

export class Functions {
  readonly host: HTMLElement;
  private readonly table: Rows;
  private listed: number[] = []; // the functions of the rows
  private differences: number[] = [];
  private readonly detail = element("div", { class: "detail" });
  private readonly title = element("h2");
  private readonly callers: Chart;
  private readonly callees: Chart;
  private readonly lines: Lines;
  private readonly changes: HTMLElement; // the head of that column
  private order: Order = "self";

  constructor(private readonly store: Store) {
    const orders: Order[] = ["self", "total", "change", "name"];
    const heads = orders.map((order) => {
      const button = element("button", { type: "button" }, order === "name" ? "function" : order);
      const head = element("th", { scope: "col", "aria-sort": order === this.order ? "descending" : "none" }, button);
      button.addEventListener("click", () => {
        this.order = order;
        for (const other of heads) other.setAttribute("aria-sort", "none");
        head.setAttribute("aria-sort", order === "name" ? "ascending" : "descending");
        this.fill();
      });
      return head;
    });
    this.table = new Rows({
      label: "Functions",
      role: "grid",
      heads,
      line: (i) => this.lineOf(this.listed[i]),
      mark: (line, i) => line.setAttribute("aria-selected", String(this.listed[i] === store.fn)),
      click: (i) => store.select(this.listed[i]),
      acts: { choose: (i) => store.select(this.listed[i]) },
    });
    const describe = (box: Box) => describeBox(store, box);
    this.callers = new Chart(store, { label: "Callers", upwards: true, describe });
    this.callees = new Chart(store, { label: "What it calls", describe });
    this.lines = new Lines(store);
    this.detail.append(this.title, element("h3", {}, "Callers"), this.callers.host, element("h3", {}, "Calls"), this.callees.host, this.lines.host);
    this.host = element("div", { class: "functions" }, this.table.host, this.detail);
    this.changes = heads[2];
    store.onChange((changed) => {
      if (!this.host.isConnected) return;
      if (changed === "fn") this.mark();
      else if (LIVE && changed === "data") this.update();
      else if (changed === "query" || store.isOther(changed)) this.fill();
    });
  }

  fill() {
    this.list();
    this.table.show(this.listed.length, "first");
    this.mark();
  }

  /** Newer data, with all else as it is. */
  private update() {
    if (!LIVE) return;
    const active = this.listed[this.table.activeRow];
    this.list();
    this.table.update(this.listed.length, this.listed.indexOf(active));
    this.showDetail("update");
  }

  private list() {
    const { profile, weights, change, found } = this.store;
    this.changes.hidden = !change;
    const { selfOf, totalOf, all } = weights;
    const before = change?.sharesOf(profile.functions).self;
    const differences = (this.differences = profile.functions.map((_, i) => (before && all > 0 ? selfOf[i] / all - before[i] : 0)));
    const compare: Record<Order, (a: number, b: number) => number> = {
      self: (a, b) => selfOf[b] - selfOf[a] || totalOf[b] - totalOf[a],
      total: (a, b) => totalOf[b] - totalOf[a] || selfOf[b] - selfOf[a],
      change: (a, b) => differences[b] - differences[a],
      name: (a, b) => (profile.functions[a].name < profile.functions[b].name ? -1 : 1),
    };
    this.listed = [...profile.functions.keys()].filter((i) => (totalOf[i] > 0 || differences[i] !== 0) && (!found || found[i])).sort(compare[this.order]);
  }

  private lineOf(i: number): HTMLTableRowElement {
    const { profile, weights, change } = this.store;
    const fn = profile.functions[i];
    const by = this.differences[i];
    const cells = [weights.selfOf[i], weights.totalOf[i]].map((ticks) => element("td", {}, `${amount(profile, ticks)} · ${share(ticks, weights.all)}`));
    if (change) cells.push(element("td", { class: by > 0 ? "worse" : "better" }, points(by)));
    const name = element("td", { class: "function" }, element("span", { class: "name" }, fn.name), element("span", { class: "place" }, place(fn)));
    return element("tr", { role: "row", "data-fn": i }, ...cells, name);
  }

  private mark() {
    this.table.mark();
    this.showDetail("show");
  }

  private showDetail(how: "show" | "update") {
    const { fn, profile, weights } = this.store;
    this.detail.hidden = fn < 0;
    if (fn < 0) return;
    const { name } = profile.functions[fn];
    this.title.replaceChildren(...apart([name, `self ${share(weights.selfOf[fn], weights.all)}, total ${share(weights.totalOf[fn], weights.all)}`, place(profile.functions[fn])]));
    this.callers[how](around(profile, weights, fn, true));
    this.callees[how](around(profile, weights, fn, false));
    for (const chart of [this.callers, this.callees]) chart.fit();
    this.lines.fill();
  }
}

/** A box in words, part by part. */
export function describeBox({ profile, weights, change }: Store, { start, end, fn }: Box): string[] {
  const of = profile.functions[fn];
  const words = [of.name, amount(profile, end - start), share(end - start, weights.all), `self ${share(weights.selfOf[fn], weights.all)}`, place(of)];
  if (change) words.push(`${points(weights.totalOf[fn] / weights.all - change.sharesOf(profile.functions).total[fn])} points`);
  return words;
}
