// A tree of functions as a table, opened row by row. Keyboards and screen
// readers know it as a treegrid.
import type { Branch } from "./branches";
import { Rows } from "./rows";
import type { Store } from "./store";
import { amount, element, place, points, share } from "./text";

export interface TreeOptions {
  label: string;
  /** The branches, for the stretch in view. */
  roots(): Branch[];
  /** Rows below the first have no self time of their own: they are callers. */
  goesUp?: boolean;
}

interface Row {
  branch: Branch;
  level: number;
  parent: Row | null;
  isOpen: boolean;
  /** Whether it is known to have nothing below it. */
  isLeaf: boolean;
}

export class TreeGrid {
  private readonly table: Rows;
  private readonly changes: HTMLElement; // the head of that column
  private rows: Row[] = []; // those that are not inside a closed one
  private isTouched = false; // the open rows are the reader's choice

  constructor(
    private readonly store: Store,
    private readonly options: TreeOptions,
  ) {
    const heads = ["self", "", "total", "", "change", "function"].map((text, i) => element("th", { scope: "col", class: i === 1 || i === 3 ? "part" : "" }, text));
    this.changes = heads[4];
    this.table = new Rows({
      label: options.label,
      role: "treegrid",
      heads,
      line: (i) => this.lineOf(this.rows[i]),
      mark: (line, i) => this.mark(line, this.rows[i]),
      click: (i, event) => this.click(i, event),
      acts: {
        choose: (i) => store.select(this.rows[i].branch.fn),
        open: (i) => (this.rows[i].isOpen ? this.table.focus(i + 1) : this.toggle(i)),
        close: (i) => (this.rows[i].isOpen ? this.toggle(i) : this.table.focus(this.parentOf(i))),
      },
    });
    store.onChange((changed) => {
      if (!this.host.isConnected) return;
      if (store.isOther(changed)) this.fill();
      else if (LIVE && changed === "data") this.update();
      else this.table.mark();
    });
  }

  get host(): HTMLElement {
    return this.table.host;
  }

  fill() {
    this.isTouched = false;
    this.openHeaviest();
    this.table.show(this.rows.length, "first");
  }

  private openHeaviest() {
    this.changes.hidden = !this.store.change;
    this.rows = this.options.roots().map((branch) => rowOf(branch, null));
    // The heaviest is open, and a single way down not worth the clicks.
    for (let at = 0; this.rows[at] && at < 30 && this.expand(at) === 1; ) at++;
  }

  /** Newer data: the rows that the reader opened are open, and the active one is the same. */
  private update() {
    if (!LIVE) return;
    const active = this.rows[this.table.activeRow];
    if (this.isTouched) this.open(new Set(this.rows.filter(({ isOpen }) => isOpen).map(pathOf)));
    else this.openHeaviest();
    const path = active && pathOf(active);
    this.table.update(this.rows.length, this.rows.findIndex((row) => pathOf(row) === path));
  }

  private open(paths: Set<string>) {
    if (!LIVE) return;
    this.changes.hidden = !this.store.change;
    this.rows = this.options.roots().map((branch) => rowOf(branch, null));
    for (let at = 0; at < this.rows.length; at++) if (paths.has(pathOf(this.rows[at]))) this.expand(at);
  }

  private lineOf({ branch, level, isOpen, isLeaf }: Row): HTMLTableRowElement {
    const { profile, weights, change } = this.store;
    const fn = profile.functions[branch.fn];
    const up = this.options.goesUp && level > 1;
    const cells = [up ? "" : amount(profile, branch.self), up ? "" : share(branch.self, weights.all), amount(profile, branch.total), share(branch.total, weights.all)];
    const line = element("tr", { role: "row", "aria-level": level, "aria-expanded": String(isOpen), class: isLeaf ? "leaf" : "" });
    line.append(...cells.map((text, i) => element("td", { class: i % 2 ? "part" : "" }, text)));
    if (change) {
      const before = change.sharesOf(profile.functions);
      const by = level === 1 && this.options.goesUp ? branch.self / weights.all - before.self[branch.fn] : weights.totalOf[branch.fn] / weights.all - before.total[branch.fn];
      line.append(element("td", { class: by > 0 ? "worse" : "better" }, points(by)));
    }
    const name = element("span", { class: "name" }, fn.name);
    const cell = element("td", { class: "function" }, element("span", { class: "twist", "aria-hidden": "true" }, "▸"), name, element("span", { class: "place" }, place(fn)));
    cell.style.paddingInlineStart = `${Math.min(level, 60) * 14 - 8}px`;
    line.append(cell);
    return line;
  }

  /** Shows what is selected, and what is found. */
  private mark(line: HTMLTableRowElement, { branch }: Row) {
    const { fn, found } = this.store;
    line.setAttribute("aria-selected", String(branch.fn === fn));
    line.classList.toggle("dim", found !== null && !found[branch.fn]);
  }

  /** Opens a row, and says how many are in it. */
  private expand(at: number): number {
    const row = this.rows[at];
    const inside = row.branch.children().map((branch) => rowOf(branch, row));
    row.isOpen = true;
    row.isLeaf = inside.length === 0;
    this.rows = [...this.rows.slice(0, at + 1), ...inside, ...this.rows.slice(at + 1)];
    return inside.length;
  }

  private collapse(at: number) {
    const row = this.rows[at];
    row.isOpen = false;
    let past = at + 1;
    while (past < this.rows.length && this.rows[past].level > row.level) past++;
    this.rows.splice(at + 1, past - at - 1);
  }

  private toggle(at: number) {
    this.isTouched = true;
    if (this.rows[at].isOpen) this.collapse(at);
    else this.expand(at);
    this.table.show(this.rows.length, "here");
  }

  private click(i: number, event: MouseEvent) {
    this.store.select(this.rows[i].branch.fn);
    if ((event.target as HTMLElement).closest(".twist") || event.detail === 2) this.toggle(i);
  }

  private parentOf(i: number): number {
    let at = i - 1;
    while (at >= 0 && this.rows[at].level >= this.rows[i].level) at--;
    return at >= 0 ? at : i;
  }
}

const rowOf = (branch: Branch, parent: Row | null): Row => ({ branch, level: parent ? parent.level + 1 : 1, parent, isOpen: false, isLeaf: false });

/** The functions from the first row down to a row: its identity in any data. */
const pathOf = ({ branch, parent }: Row): string => (parent ? `${pathOf(parent)} ${branch.fn}` : String(branch.fn));
