// A tree of functions as a table, opened row by row. Keyboards and screen
// readers know it as a treegrid.
import type { Branch } from "./branches";
import type { Store } from "./store";
import { amount, element, place, points, share } from "./text";

/** How many rows of one branch are made at a time. */
const batch = 100;

export interface TreeOptions {
  label: string;
  /** The branches, for the stretch that is looked at. */
  roots(): Branch[];
  /** Rows below the first have no self time of their own: they are callers. */
  goesUp?: boolean;
}

interface Row {
  branch: Branch;
  level: number;
  line: HTMLTableRowElement;
  open: boolean;
}

export class TreeGrid {
  readonly host: HTMLElement;
  private readonly body = element("tbody");
  private readonly rows = new WeakMap<HTMLTableRowElement, Row>();

  constructor(
    private readonly store: Store,
    private readonly options: TreeOptions,
  ) {
    const heads = ["self", "", "total", "", ...(store.change ? ["change"] : []), "function"].map((text, i) => element("th", { scope: "col", class: i === 1 || i === 3 ? "part" : "" }, text));
    const table = element("table", { role: "treegrid", "aria-label": options.label }, element("thead", {}, element("tr", {}, ...heads)), this.body);
    this.host = element("div", { class: "table" }, table);
    this.body.addEventListener("click", (event) => this.click(event));
    this.body.addEventListener("keydown", (event) => this.key(event));
    store.onChange((changed) => {
      if (!this.host.isConnected) return;
      if (changed === "range") this.fill();
      else this.mark();
    });
  }

  fill() {
    this.body.replaceChildren();
    this.add(null, this.options.roots(), 1, 0);
    const first = this.body.rows[0];
    if (first) first.tabIndex = 0;
    // The heaviest is open, and a single way down not worth the clicks.
    for (let row = first && this.rows.get(first); row && row.level < 30; ) {
      const children = this.expand(row);
      row = children.length === 1 ? children[0] : undefined;
    }
    this.mark();
  }

  /** Adds rows behind a row, or at the end. */
  private add(behind: HTMLTableRowElement | null, branches: Branch[], level: number, from: number): Row[] {
    const made: Row[] = [];
    const lines = document.createDocumentFragment();
    for (const branch of branches.slice(from, from + batch)) {
      const row = { branch, level, line: this.lineOf(branch, level), open: false };
      this.rows.set(row.line, row);
      made.push(row);
      lines.append(row.line);
    }
    const left = branches.length - from - batch;
    if (left > 0) lines.append(this.moreLine(branches, level, from + batch, left));
    if (behind) behind.after(lines);
    else this.body.append(lines);
    return made;
  }

  private moreLine(branches: Branch[], level: number, from: number, left: number): HTMLTableRowElement {
    const button = element("button", { type: "button" }, `${left} more`);
    const line = element("tr", { class: "more", "data-level": level }, element("td", { colspan: this.store.change ? 6 : 5 }, button));
    button.addEventListener("click", () => {
      const before = line.previousElementSibling as HTMLTableRowElement;
      line.remove();
      this.add(before, branches, level, from);
      this.mark();
    });
    return line;
  }

  private lineOf(branch: Branch, level: number): HTMLTableRowElement {
    const { profile, weights, change } = this.store;
    const fn = profile.functions[branch.fn];
    const up = this.options.goesUp && level > 1;
    const cells = [up ? "" : amount(profile, branch.self), up ? "" : share(branch.self, weights.all), amount(profile, branch.total), share(branch.total, weights.all)];
    const line = element("tr", { role: "row", tabindex: -1, "aria-level": level, "aria-expanded": "false" });
    line.append(...cells.map((text, i) => element("td", { class: i % 2 ? "part" : "" }, text)));
    if (change) {
      const by = level === 1 && this.options.goesUp ? branch.self / weights.all - change.selfBefore(fn) : weights.totalOf[branch.fn] / weights.all - change.totalBefore(fn);
      line.append(element("td", { class: by > 0 ? "worse" : "better" }, points(by)));
    }
    const name = element("span", { class: "name" }, fn.name);
    const cell = element("td", { class: "function" }, element("span", { class: "twist", "aria-hidden": "true" }, "▸"), name, element("span", { class: "place" }, place(fn)));
    cell.style.paddingInlineStart = `${Math.min(level, 60) * 14 - 8}px`;
    line.append(cell);
    return line;
  }

  private expand(row: Row): Row[] {
    const children = row.branch.children();
    row.open = true;
    row.line.setAttribute("aria-expanded", "true");
    row.line.classList.toggle("leaf", children.length === 0);
    return this.add(row.line, children, row.level + 1, 0);
  }

  private collapse(row: Row) {
    row.open = false;
    row.line.setAttribute("aria-expanded", "false");
    for (let next = row.line.nextElementSibling; next && levelOf(next) > row.level; next = row.line.nextElementSibling) next.remove();
  }

  private toggle(row: Row) {
    if (row.open) this.collapse(row);
    else this.expand(row);
    this.mark();
  }

  private click(event: MouseEvent) {
    const target = event.target as HTMLElement;
    const line = target.closest("tr");
    const row = line && this.rows.get(line);
    if (!row) return;
    this.focus(row.line);
    this.store.select(row.branch.fn);
    if (target.closest(".twist") || event.detail === 2) this.toggle(row);
  }

  private key(event: KeyboardEvent) {
    const line = (event.target as HTMLElement).closest("tr");
    const row = line && this.rows.get(line);
    if (!row || event.target !== line) return;
    const { key } = event;
    const isIn = row.open && key === "ArrowRight";
    const isOut = !row.open && key === "ArrowLeft";
    if (key === "ArrowDown" || isIn) this.focus(line.nextElementSibling);
    else if (key === "ArrowUp") this.focus(line.previousElementSibling);
    else if (isOut) this.focus(this.parentOf(row));
    else if (key === "ArrowRight" || key === "ArrowLeft") this.toggle(row);
    else if (key === "Enter" || key === " ") this.store.select(row.branch.fn);
    else if (key === "Home") this.focus(this.body.firstElementChild);
    else if (key === "End") this.focus(this.body.lastElementChild);
    else return;
    event.preventDefault();
  }

  private parentOf(row: Row): Element | null {
    let at = row.line.previousElementSibling;
    while (at && levelOf(at) >= row.level) at = at.previousElementSibling;
    return at;
  }

  private focus(line: Element | null) {
    if (!(line instanceof HTMLTableRowElement)) return;
    for (const other of this.body.querySelectorAll("tr[tabindex='0']")) (other as HTMLElement).tabIndex = -1;
    line.tabIndex = 0;
    line.focus();
  }

  /** Shows what is selected, and what is found. */
  private mark() {
    const { fn, found } = this.store;
    for (const line of this.body.rows) {
      const row = this.rows.get(line);
      if (!row) continue;
      line.setAttribute("aria-selected", String(row.branch.fn === fn));
      line.classList.toggle("dim", found !== null && !found[row.branch.fn]);
    }
  }
}

const levelOf = (line: Element) => Number(line.getAttribute("aria-level") ?? line.getAttribute("data-level"));
