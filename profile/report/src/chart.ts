// A chart of bands on a canvas: flame graphs and calls in time. Only what is in
// sight is drawn, and of boxes narrower than a pixel the first.
import type { Band, Bands } from "./bands";
import { colours, themeNow } from "./colours";
import type { Store } from "./store";
import { element } from "./text";

const row = 18;
const most = 25_000; // pixels that browsers scroll without trouble

/** What is special about a chart. */
export interface ChartOptions {
  label: string;
  /** Callers stand above: the first band is the lowest. */
  upwards?: boolean;
  /** What a box is, in words. */
  describe(band: Band, i: number): string;
}

interface Spot {
  depth: number;
  i: number;
}

export class Chart {
  readonly host: HTMLElement;
  private readonly canvas = element("canvas", { tabindex: 0, role: "img" });
  private readonly spacer = element("div", { class: "spacer" });
  private readonly tip = element("div", { class: "tip", hidden: true });
  private readonly said = element("div", { class: "said", "aria-live": "polite" });
  private data: Bands = { bands: [], width: 0 };
  private view: [number, number] = [0, 1];
  private hover: Spot | null = null;
  private at: Spot | null = null;
  private colours: string[] = [];
  private drawing = 0;

  constructor(
    private readonly store: Store,
    private readonly options: ChartOptions,
  ) {
    this.canvas.setAttribute("aria-label", `${options.label}. Arrow keys go from box to box, Enter zooms, Escape shows all.`);
    this.host = element("div", { class: "chart" }, this.canvas, this.spacer, this.tip, this.said);
    this.listen();
    new ResizeObserver(() => this.draw()).observe(this.host);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.recolour());
    store.onChange((changed) => (changed === "range" ? this.recolour() : this.draw()));
    this.recolour();
  }

  show(data: Bands, view?: readonly [number, number]) {
    this.data = data;
    this.view = view ? [view[0], view[1]] : [0, data.width];
    this.hover = this.at = null;
    this.tip.hidden = true;
    this.spacer.style.height = `${Math.min(most, data.bands.length * row)}px`;
    this.host.classList.toggle("empty", data.bands.length === 0);
    if (this.options.upwards) this.host.scrollTop = this.host.scrollHeight;
    this.draw();
  }

  /** Shows from here to there. */
  zoom(start: number, end: number) {
    const { width } = this.data;
    const least = width / 1e7;
    if (!(end - start > least)) [start, end] = [(start + end - least) / 2, (start + end + least) / 2];
    this.view = [Math.max(0, start), Math.min(width, end)];
    this.tip.hidden = true;
    this.draw();
  }

  private recolour() {
    this.colours = colours(this.store, themeNow());
    this.draw();
  }

  private draw() {
    this.drawing ||= requestAnimationFrame(() => {
      this.drawing = 0;
      this.paint();
    });
  }

  private top(depth: number): number {
    const from = this.options.upwards ? Math.min(most, this.data.bands.length * row) - (depth + 1) * row : depth * row;
    return from - this.host.scrollTop;
  }

  private paint() {
    const { clientWidth: width, clientHeight: height } = this.host;
    const scale = devicePixelRatio || 1;
    const { canvas } = this;
    canvas.width = Math.max(1, width * scale);
    canvas.height = Math.max(1, height * scale);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    const pen = canvas.getContext("2d")!;
    const theme = themeNow();
    pen.scale(scale, scale);
    pen.fillStyle = theme.paper;
    pen.fillRect(0, 0, width, height);
    pen.font = "12px system-ui, sans-serif";
    pen.textBaseline = "middle";
    this.data.bands.forEach((band, depth) => {
      const y = this.top(depth);
      if (y > -row && y < height) this.paintBand(pen, band, depth, y, width, theme.ink);
    });
  }

  private paintBand(pen: CanvasRenderingContext2D, band: Band, depth: number, y: number, width: number, ink: string) {
    const [from, to] = this.view;
    const scale = width / (to - from);
    const { found, fn: selected } = this.store;
    for (let i = firstBehind(band.end, from); i < band.start.length && band.start[i] < to; ) {
      const left = Math.max(0, (band.start[i] - from) * scale);
      const right = Math.min(width, (band.end[i] - from) * scale);
      const wide = Math.max(1, right - left - 0.5);
      const fn = band.fn[i];
      pen.globalAlpha = found && !found[fn] ? 0.25 : 1;
      pen.fillStyle = this.colours[fn];
      pen.fillRect(left, y, wide, row - 1);
      if (fn === selected || isAt(this.at, depth, i) || isAt(this.hover, depth, i)) {
        pen.lineWidth = isAt(this.hover, depth, i) ? 1 : 2;
        pen.strokeStyle = ink;
        pen.strokeRect(left + 1, y + 1, Math.max(1, wide - 2), row - 3);
      }
      if (wide > 28) {
        pen.fillStyle = ink;
        pen.fillText(fit(pen, this.store.profile.functions[fn].name, wide - 6), left + 3, y + row / 2);
      }
      // What ends within this pixel would not be seen.
      i = right - left >= 1 ? i + 1 : Math.max(i + 1, firstBehind(band.end, from + (Math.floor(left) + 1) / scale));
    }
    pen.globalAlpha = 1;
  }

  private spotAt(event: MouseEvent): Spot | null {
    const { left, top, width } = this.canvas.getBoundingClientRect();
    const y = event.clientY - top + this.host.scrollTop;
    const full = Math.min(most, this.data.bands.length * row);
    const depth = Math.floor((this.options.upwards ? full - y : y) / row);
    const band = this.data.bands[depth];
    if (!band) return null;
    const x = this.view[0] + ((event.clientX - left) / width) * (this.view[1] - this.view[0]);
    const i = firstBehind(band.end, x);
    return i < band.start.length && band.start[i] <= x + (this.view[1] - this.view[0]) / width ? { depth, i } : null;
  }

  private listen() {
    const { canvas, host } = this;
    host.addEventListener("scroll", () => this.draw());
    canvas.addEventListener("pointermove", (event) => this.point(event));
    canvas.addEventListener("pointerleave", () => this.point(null));
    canvas.addEventListener("click", (event) => this.choose(this.spotAt(event)));
    canvas.addEventListener("dblclick", (event) => this.zoomTo(this.spotAt(event)));
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("keydown", (event) => this.key(event));
    let grip: { x: number; view: [number, number] } | null = null;
    canvas.addEventListener("pointerdown", (event) => (grip = { x: event.clientX, view: this.view }));
    addEventListener("pointerup", () => (grip = null));
    canvas.addEventListener("pointermove", (event) => {
      if (!grip || Math.abs(event.clientX - grip.x) < 4) return;
      const by = ((grip.x - event.clientX) / canvas.clientWidth) * (grip.view[1] - grip.view[0]);
      this.pan(grip.view, by);
    });
  }

  private pan([from, to]: [number, number], by: number) {
    const held = Math.max(-from, Math.min(this.data.width - to, by));
    this.zoom(from + held, to + held);
  }

  private point(event: PointerEvent | null) {
    const spot = event && this.spotAt(event);
    if (spot?.depth !== this.hover?.depth || spot?.i !== this.hover?.i) {
      this.hover = spot;
      this.draw();
    }
    this.tip.hidden = !spot;
    if (!spot || !event) return;
    this.tip.textContent = this.describe(spot);
    const { left, top, width } = this.host.getBoundingClientRect();
    this.tip.style.left = `${Math.max(0, Math.min(event.clientX - left + 12, width - this.tip.offsetWidth - 8))}px`;
    this.tip.style.top = `${event.clientY - top + this.host.scrollTop + 16}px`;
  }

  private describe({ depth, i }: Spot): string {
    return this.options.describe(this.data.bands[depth], i);
  }

  private choose(spot: Spot | null) {
    this.at = spot;
    this.said.textContent = spot ? this.describe(spot) : "";
    this.store.select(spot ? this.data.bands[spot.depth].fn[spot.i] : -1);
    this.draw();
  }

  private zoomTo(spot: Spot | null) {
    if (!spot) return this.zoom(0, this.data.width);
    const { start, end } = this.data.bands[spot.depth];
    this.zoom(start[spot.i], end[spot.i]);
  }

  private wheel(event: WheelEvent) {
    const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (!sideways && !event.ctrlKey && !event.metaKey) return; // the page's own scrolling
    event.preventDefault();
    const [from, to] = this.view;
    if (sideways) return this.pan(this.view, (event.deltaX / this.canvas.clientWidth) * (to - from));
    const { left, width } = this.canvas.getBoundingClientRect();
    const x = from + ((event.clientX - left) / width) * (to - from);
    const by = Math.exp(event.deltaY / 200);
    this.zoom(x - (x - from) * by, x + (to - x) * by);
  }

  private key(event: KeyboardEvent) {
    const steps: Record<string, () => Spot | null> = {
      ArrowLeft: () => this.beside(-1),
      ArrowRight: () => this.beside(1),
      ArrowUp: () => this.across(this.options.upwards ? 1 : -1),
      ArrowDown: () => this.across(this.options.upwards ? -1 : 1),
    };
    if (event.key in steps) this.choose(steps[event.key]() ?? this.at);
    else if (event.key === "Enter") this.zoomTo(this.at);
    else if (event.key === "Escape") this.zoom(0, this.data.width);
    else if (event.key === "+" || event.key === "-") this.scaleBy(event.key === "+" ? 0.5 : 2);
    else return;
    event.preventDefault();
    if (this.at) this.reveal(this.at.depth);
  }

  private scaleBy(by: number) {
    const middle = (this.view[0] + this.view[1]) / 2;
    const half = ((this.view[1] - this.view[0]) / 2) * by;
    this.zoom(middle - half, middle + half);
  }

  private beside(by: number): Spot | null {
    if (!this.at) return this.data.bands.length > 0 ? { depth: 0, i: 0 } : null;
    const i = this.at.i + by;
    return i >= 0 && i < this.data.bands[this.at.depth].start.length ? { depth: this.at.depth, i } : null;
  }

  /** Above it the box that it stands in, below it the first that stands in it. */
  private across(by: number): Spot | null {
    if (!this.at) return this.beside(0);
    const band = this.data.bands[this.at.depth + by];
    if (!band) return null;
    const from = this.data.bands[this.at.depth].start[this.at.i];
    const to = this.data.bands[this.at.depth].end[this.at.i];
    const i = firstBehind(band.end, from);
    return i < band.start.length && band.start[i] < to ? { depth: this.at.depth + by, i } : null;
  }

  private reveal(depth: number) {
    const y = this.top(depth);
    if (y < 0 || y + row > this.host.clientHeight) this.host.scrollTop += y - this.host.clientHeight / 2;
  }
}

const isAt = (spot: Spot | null, depth: number, i: number) => spot !== null && spot.depth === depth && spot.i === i;

/** The first of growing numbers that is greater. */
function firstBehind(numbers: readonly number[], than: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] > than) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** As much of a text as there is room for. */
function fit(pen: CanvasRenderingContext2D, text: string, width: number): string {
  const room = Math.ceil(width / 4); // no letter is narrower, or hardly
  if (text.length > room) text = text.slice(0, room);
  if (pen.measureText(text).width <= width) return text;
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (pen.measureText(text.slice(0, middle) + "…").width <= width) low = middle;
    else high = middle - 1;
  }
  return low > 0 ? text.slice(0, low) + "…" : "";
}
