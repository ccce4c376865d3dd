// All functions in one list, and beside it the one that is selected: its callers,
// what it calls, and its lines.
import { around } from "./bands";
import { Chart } from "./chart";
import type { Box } from "./layers";
import { Lines } from "./lines";
import type { Store } from "./store";
import { amount, element, place, points, share } from "./text";

type Order = "self" | "total" | "change" | "name";

const most = 500;

export class Functions {
  readonly host: HTMLElement;
  private readonly body = element("tbody");
  private readonly detail = element("div", { class: "detail" });
  private readonly title = element("h2");
  private readonly callers: Chart;
  private readonly callees: Chart;
  private readonly lines: Lines;
  private order: Order = "self";

  constructor(private readonly store: Store) {
    const orders: Order[] = ["self", "total", ...(store.change ? ["change" as const] : []), "name"];
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
    const table = element("table", { "aria-label": "Functions" }, element("thead", {}, element("tr", {}, ...heads)), this.body);
    const describe = (box: Box) => describeBox(store, box);
    this.callers = new Chart(store, { label: "Callers", upwards: true, describe });
    this.callees = new Chart(store, { label: "What it calls", describe });
    this.lines = new Lines(store);
    this.detail.append(this.title, element("h3", {}, "Callers"), this.callers.host, element("h3", {}, "Calls"), this.callees.host, this.lines.host);
    this.host = element("div", { class: "functions" }, element("div", { class: "table" }, table), this.detail);
    this.body.addEventListener("click", (event) => this.choose((event.target as HTMLElement).closest("tr")));
    this.body.addEventListener("keydown", (event) => this.key(event));
    store.onChange((changed) => {
      if (!this.host.isConnected) return;
      if (changed === "fn") this.mark();
      else this.fill();
    });
  }

  fill() {
    const { profile, weights, change, found } = this.store;
    const { selfOf, totalOf, all } = weights;
    const differences = profile.functions.map((fn, i) => (change && all > 0 ? selfOf[i] / all - change.selfBefore(fn) : 0));
    const compare: Record<Order, (a: number, b: number) => number> = {
      self: (a, b) => selfOf[b] - selfOf[a] || totalOf[b] - totalOf[a],
      total: (a, b) => totalOf[b] - totalOf[a] || selfOf[b] - selfOf[a],
      change: (a, b) => differences[b] - differences[a],
      name: (a, b) => (profile.functions[a].name < profile.functions[b].name ? -1 : 1),
    };
    const listed = [...profile.functions.keys()].filter((i) => (totalOf[i] > 0 || differences[i] !== 0) && (!found || found[i])).sort(compare[this.order]);
    this.body.replaceChildren(
      ...listed.slice(0, most).map((i) => {
        const fn = profile.functions[i];
        const cells = [`${amount(profile, selfOf[i])} · ${share(selfOf[i], all)}`, `${amount(profile, totalOf[i])} · ${share(totalOf[i], all)}`];
        const line = element("tr", { tabindex: 0, "data-fn": i }, ...cells.map((text) => element("td", {}, text)));
        if (change) line.append(element("td", { class: differences[i] > 0 ? "worse" : "better" }, points(differences[i])));
        line.append(element("td", { class: "function" }, element("span", { class: "name" }, fn.name), element("span", { class: "place" }, place(fn))));
        return line;
      }),
    );
    if (listed.length > most) this.body.append(element("tr", { class: "more" }, element("td", { colspan: 4 }, `${listed.length - most} more: search for them`)));
    this.mark();
  }

  private choose(line: HTMLElement | null) {
    if (line?.dataset.fn) this.store.select(Number(line.dataset.fn));
  }

  private key(event: KeyboardEvent) {
    const line = event.target as HTMLElement;
    const beside = event.key === "ArrowDown" ? line.nextElementSibling : event.key === "ArrowUp" ? line.previousElementSibling : null;
    if (beside) (beside as HTMLElement).focus();
    else if (event.key === "Enter" || event.key === " ") this.choose(line);
    else return;
    event.preventDefault();
  }

  private mark() {
    const { fn, profile, weights } = this.store;
    for (const line of this.body.rows) line.setAttribute("aria-selected", String(line.dataset.fn === String(fn)));
    this.detail.hidden = fn < 0;
    if (fn < 0) return;
    const { name } = profile.functions[fn];
    this.title.textContent = `${name} · self ${share(weights.selfOf[fn], weights.all)}, total ${share(weights.totalOf[fn], weights.all)} · ${place(profile.functions[fn])}`;
    this.callers.show(around(profile, weights, fn, true));
    this.callees.show(around(profile, weights, fn, false));
    this.lines.fill();
  }
}

/** A box in words. */
export function describeBox({ profile, weights, change }: Store, { start, end, fn }: Box): string {
  const of = profile.functions[fn];
  const words = [of.name, amount(profile, end - start), share(end - start, weights.all), `self ${share(weights.selfOf[fn], weights.all)}`, place(of)];
  if (change) words.push(`${points(weights.totalOf[fn] / weights.all - change.totalBefore(of))} points`);
  return words.filter(Boolean).join(" · ");
}
