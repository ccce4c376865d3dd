// A table of any number of rows: only the visible ones, and some around them, are in
// the page. One row at a time is in the tab order; arrow keys move from row to row,
// including rows that are not in the page yet.
import { actOf, inTables, type ActOf } from "./keys";
import { element, morph } from "./text";

/** Rows above and below the visible ones. */
const spare = 20;
/** Pixels of the highest table: Firefox has elements of 17.9 million, and the others of 33.5. */
const highest = 15_000_000;

export interface RowsOptions {
  label: string;
  role: "grid" | "treegrid";
  heads: HTMLElement[];
  /** Makes a row; mark updates what may change without making it again. */
  line(i: number): HTMLTableRowElement;
  mark(line: HTMLTableRowElement, i: number): void;
  click(i: number, event: MouseEvent): void;
  /** The acts of keys on a row. */
  acts: { choose(i: number): void; open?(i: number): void; close?(i: number): void };
}

export class Rows {
  readonly host: HTMLElement;
  private readonly table: HTMLTableElement;
  private readonly body = element("tbody", { tabindex: -1 });
  private readonly above = element("tr", { "aria-hidden": "true" }, element("td"));
  private readonly below = element("tr", { "aria-hidden": "true" }, element("td"));
  private readonly lines = new Map<number, HTMLTableRowElement>();
  private count = 0;
  private active = 0;
  private high = 0; // of a row, in pixels
  private drawing = 0;

  constructor(private readonly options: RowsOptions) {
    const { role, label, heads } = options;
    this.table = element("table", { role, "aria-label": label }, element("thead", {}, element("tr", {}, ...heads)), this.body);
    this.host = element("div", { class: "table" }, this.table);
    this.host.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.host);
    this.body.addEventListener("click", (event) => this.click(event));
    this.body.addEventListener("keydown", (event) => this.key(event));
  }

  /** Makes all rows again, and shows them at the current scroll position or from the first. */
  show(count: number, from: "here" | "first") {
    const hasFocus = this.body.contains(document.activeElement);
    this.count = count;
    this.active = from === "first" ? 0 : Math.max(0, Math.min(this.active, count - 1));
    this.table.setAttribute("aria-rowcount", String(count + 1)); // and the head
    this.lines.clear();
    this.body.replaceChildren(this.above, this.below);
    if (from === "first") this.host.scrollTop = 0;
    this.render();
    if (hasFocus) this.focus(this.active);
  }

  /** Shows newer rows where the present are. The active one is now at `active`; −1 if it is gone. With the focus, it stays where it is on the screen. */
  update(count: number, active: number) {
    if (!LIVE) return;
    const hasFocus = this.lines.get(this.active) === document.activeElement;
    const by = hasFocus && active >= 0 ? active - this.active : 0;
    const scrolled = this.host.scrollTop;
    const above = scrolled * this.pace; // as the count that was
    this.count = count;
    this.active = Math.max(0, Math.min(active < 0 ? this.active : active, count - 1));
    this.table.setAttribute("aria-rowcount", String(count + 1));
    const lines = [...this.lines];
    this.lines.clear();
    for (const [i, line] of lines) this.lines.set(i + by, line);
    for (const [i, line] of this.lines) {
      if (i < 0 || i >= count) this.drop(i, line);
      else this.refresh(i, line);
    }
    const top = Math.max(0, (above + by * this.high) / this.pace);
    this.render(top);
    if (top !== scrolled) this.host.scrollTop = top;
  }

  private refresh(i: number, line: HTMLTableRowElement) {
    if (!LIVE) return;
    const fresh = this.options.line(i);
    this.complete(i, fresh);
    morph(line, fresh);
    line.tabIndex = fresh.tabIndex;
  }

  private drop(i: number, line: HTMLTableRowElement) {
    if (line === document.activeElement) this.body.focus({ preventScroll: true }); // keys still come here
    line.remove();
    this.lines.delete(i);
  }

  get activeRow(): number {
    return this.active;
  }

  /** Marks all rows again. */
  mark() {
    for (const [i, line] of this.lines) this.options.mark(line, i);
  }

  /** Scrolls to a row and focuses it. */
  focus(i: number) {
    if (this.count === 0) return;
    const old = this.lines.get(this.active);
    if (old) old.tabIndex = -1;
    this.active = Math.max(0, Math.min(this.count - 1, i));
    const { pace } = this;
    const top = this.active * this.high;
    const room = this.view - this.high;
    const shown = this.host.scrollTop * pace;
    if (top < shown || top > shown + room) this.host.scrollTop = (top < shown ? top : top - room) / pace;
    this.render();
    const line = this.lines.get(this.active);
    if (!line) return;
    line.tabIndex = 0;
    line.focus({ preventScroll: true });
  }

  private draw() {
    this.drawing ||= requestAnimationFrame(() => {
      this.drawing = 0;
      if (this.host.isConnected) this.render();
    });
  }

  private render(scrollTop = this.host.scrollTop) {
    const { clientHeight } = this.host;
    const high = (this.high ||= this.measure());
    if (high === 0) return; // there is nothing, or it is not in the page
    const { pace, view } = this;
    const all = this.count * high;
    const top = pace > 1 ? Math.min(scrollTop * pace, all - view) : scrollTop; // in all rows
    const missing = top - scrollTop; // pixels above, as they have no room
    const first = Math.max(Math.floor(missing / high), Math.min(this.count, Math.floor(top / high)) - spare);
    const above = Math.max(0, first * high - missing);
    const room = Math.min(all, highest) - above;
    const past = Math.min(this.count, Math.ceil((top + clientHeight) / high) + spare, first + Math.ceil(room / high));
    for (const [i, line] of this.lines) {
      if (i < first || i >= past) this.drop(i, line);
    }
    let before = this.above;
    for (let i = first; i < past; i++) {
      let line = this.lines.get(i);
      if (!line) before.after((line = this.make(i)));
      before = line;
    }
    this.above.style.height = `${above}px`;
    this.below.style.height = `${Math.max(0, room - (past - first) * high)}px`;
  }

  /** The pixels that rows are seen in, below the head. */
  private get view(): number {
    return this.host.clientHeight - this.table.tHead!.offsetHeight;
  }

  /** How many pixels of rows go by for each one that is scrolled: more than one if they are higher than an element can be. */
  private get pace(): number {
    const { view } = this;
    return Math.max(1, (this.count * this.high - view) / (highest - view));
  }

  private make(i: number): HTMLTableRowElement {
    const line = this.options.line(i);
    this.complete(i, line);
    this.lines.set(i, line);
    return line;
  }

  private complete(i: number, line: HTMLTableRowElement) {
    line.tabIndex = i === this.active ? 0 : -1;
    line.setAttribute("aria-rowindex", String(i + 2));
    this.options.mark(line, i);
  }

  /** The height of every row: the first row's, because each has one line of text. */
  private measure(): number {
    if (this.count === 0) return 0;
    const line = this.options.line(0);
    this.above.after(line);
    const { height } = line.getBoundingClientRect();
    line.remove();
    return height;
  }

  private indexOf(target: EventTarget | null): number {
    const line = (target as HTMLElement).closest("tr");
    for (const [i, other] of this.lines) if (other === line) return i;
    return -1;
  }

  private click(event: MouseEvent) {
    const i = this.indexOf(event.target);
    if (i < 0) return;
    this.focus(i);
    this.options.click(i, event);
  }

  private key(event: KeyboardEvent) {
    const act = actOf(inTables, event);
    if (!act || this.count === 0) return;
    const { active, options } = this;
    const page = Math.max(1, Math.floor(this.host.clientHeight / this.high) - 2);
    const by = (step: number) => () => this.focus(active + step);
    const own = (act?: (i: number) => void) => act && (() => act(active));
    const { choose, open, close } = options.acts;
    const acts: Record<ActOf<typeof inTables>, (() => void) | undefined> = {
      down: by(1),
      up: by(-1),
      pageDown: by(page),
      pageUp: by(-page),
      first: by(-this.count),
      last: by(this.count),
      open: own(open),
      close: own(close),
      choose: own(choose),
    };
    if (!acts[act]) return;
    acts[act]();
    event.preventDefault();
  }
}
