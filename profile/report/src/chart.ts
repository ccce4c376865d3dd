// A chart of layers on a canvas: flame graphs and calls in time. Only the visible part
// is drawn, once per screen frame.
import { axisHeight, drawAxis, drawMarks } from "./axis";
import { Bands } from "./bands";
import { blend, colours, pixel, themeNow } from "./colours";
import { grip } from "./gestures";
import { actOf, inCharts, type ActOf } from "./keys";
import type { Box, Layers, Sight } from "./layers";
import { Letters } from "./letters";
import { Raster } from "./raster";
import type { Store } from "./store";
import { apart, element } from "./text";
import type { Range } from "./weights";

/** How high a layer is: more for fingers. Workers have no charts. */
const row = globalThis.matchMedia?.("(pointer: coarse)").matches ? 26 : 18;
const most = 10_000_000; // pixels that browsers scroll
const font = "12px system-ui, sans-serif";

/** The options of a chart. */
export interface ChartOptions {
  label: string;
  /** Callers are above: the first layer is the lowest. */
  upwards?: boolean;
  /** Places are moments, and are on an axis. */
  isTime?: boolean;
  /** A box in words. */
  describe(box: Box): string[];
}

const nothing = new Bands([], 0);

export class Chart {
  readonly host: HTMLElement;
  private readonly canvas = element("canvas", { tabindex: 0, role: "img" });
  private readonly spacer = element("div", { class: "spacer" });
  private readonly tip = element("div", { class: "tip", hidden: true });
  private readonly said = element("div", { class: "said", "aria-live": "polite" });
  private readonly back = element("button", { type: "button", class: "back", hidden: true }, "Show all");
  private readonly pen = this.canvas.getContext("2d", { alpha: false })!;
  private readonly letters = new Letters(this.pen, font);
  private readonly raster = new Raster();
  private readonly head: number; // the height above the layers, in pixels
  private data: Layers = nothing;
  private view: Range = [0, 1];
  private whole: Range = [0, 1];
  private hover: Box | null = null;
  private at: Box | null = null;
  private zoomed: Box | null = null;
  private colours: Uint32Array | null = null;
  private drawing = 0;

  constructor(
    private readonly store: Store,
    private readonly options: ChartOptions,
  ) {
    this.head = options.isTime ? axisHeight : 0;
    this.canvas.setAttribute("aria-label", `${options.label}. Arrow keys go from box to box, Enter zooms, Escape shows all.`);
    this.host = element("div", { class: "chart" }, element("div", { class: "over" }, this.back), this.canvas, this.spacer, this.tip, this.said);
    this.listen();
    new ResizeObserver(() => this.draw()).observe(this.host);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.recolour(), { signal: store.ended });
    store.onChange((changed) => (store.isOther(changed) || changed === "data" ? this.recolour() : this.draw()));
  }

  show(data: Layers, [from, to]: Range = [0, data.width]) {
    this.data = data;
    this.view = this.whole = [from, to];
    this.zoomed = null;
    this.hover = this.at = null;
    this.tip.hidden = true;
    this.spacer.style.height = `${this.head + this.tall}px`;
    this.host.classList.toggle("empty", data.depth === 0);
    if (this.options.upwards) this.host.scrollTop = this.host.scrollHeight;
    this.draw();
  }

  /** Shows newer data: boxes that were in view, chosen or pointed at still are. */
  update(data: Layers, [from, to]: Range = [0, data.width]) {
    if (!LIVE) return;
    const { host, data: older, tall } = this;
    const [{ shift }, [left, right]] = [this.store, this.view];
    const again = (box: Box | null) => box && data.again(box, older, shift);
    [this.hover, this.at, this.zoomed] = [again(this.hover), again(this.at), again(this.zoomed)];
    const grown = older.width > 0 ? data.width / older.width : 1;
    const isWhole = left === this.whole[0] && right === this.whole[1];
    this.whole = [from, to];
    this.data = data;
    if (isWhole || grown === 0 || (this.options.isTime && right <= shift)) this.view = this.whole;
    else if (this.options.isTime) this.view = [left - shift, right - shift];
    else this.view = this.zoomed ? [this.zoomed.start, this.zoomed.end] : [left * grown, right * grown];
    this.spacer.style.height = `${this.head + this.tall}px`;
    if (this.options.upwards) host.scrollTop += this.tall - tall;
    host.classList.toggle("empty", data.depth === 0);
    this.tip.hidden ||= !this.hover;
    if (this.hover) this.tip.replaceChildren(...apart(this.options.describe(this.hover)));
    this.recolour();
  }

  /** Makes it as high as its layers. */
  fit() {
    this.host.style.height = `${this.head + this.tall + 2}px`;
    if (this.options.upwards) this.host.scrollTop = this.host.scrollHeight;
  }

  /** Shows from here to there. */
  zoom(start: number, end: number) {
    const { width } = this.data;
    const least = width / 1e7;
    if (!(end - start > least)) [start, end] = [(start + end - least) / 2, (start + end + least) / 2];
    this.view = [Math.max(0, start), Math.min(width, end)];
    this.zoomed = null;
    this.tip.hidden = true;
    this.draw();
  }

  private recolour() {
    this.colours = null;
    this.draw();
  }

  private draw() {
    this.drawing ||= requestAnimationFrame(() => {
      this.drawing = 0;
      if (this.host.isConnected) this.paint();
    });
  }

  /** How high all layers are. */
  private get tall(): number {
    return Math.min(most, this.data.depth * row);
  }

  private top(depth: number): number {
    const from = this.options.upwards ? this.tall - (depth + 1) * row : depth * row;
    return this.head + from - this.host.scrollTop;
  }

  private sight(width: number, height: number): Sight {
    const [from, to] = this.view;
    const hidden = this.host.scrollTop;
    const [above, below] = this.options.upwards ? [this.tall - hidden - height, this.tall - hidden] : [hidden - this.head, hidden - this.head + height];
    const first = Math.max(0, Math.floor(above / row));
    return { from, to, step: (to - from) / width, first, past: Math.max(first, Math.min(this.data.depth, Math.ceil(below / row))) };
  }

  private paint() {
    const { clientWidth, clientHeight } = this.host;
    const scale = devicePixelRatio || 1;
    const [width, height] = [Math.max(1, Math.round(clientWidth * scale)), Math.max(1, Math.round(clientHeight * scale))];
    const { canvas, pen } = this;
    if (canvas.width !== width || canvas.height !== height) {
      [canvas.width, canvas.height] = [width, height];
      canvas.style.width = `${clientWidth}px`;
      canvas.style.height = `${clientHeight}px`;
    }
    this.back.hidden = this.view[0] <= this.whole[0] && this.view[1] >= this.whole[1];
    const labels = this.paintBoxes(this.sight(width, clientHeight), width, height, scale);
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    this.paintLabels(labels, scale);
    if (!this.options.isTime || this.data.width === 0) return;
    pen.fillStyle = themeNow().paper;
    pen.fillRect(0, 0, clientWidth, axisHeight);
    drawAxis(pen, this.store.profile, this.view, clientWidth, 0, [0, axisHeight]);
    drawMarks(pen, this.store.marks, this.view, clientWidth, axisHeight);
  }

  /** Paints all boxes, and gives those with room for a name. */
  private paintBoxes(sight: Sight, width: number, height: number, scale: number): Label[] {
    const { store, raster } = this;
    const { found, fn: selected } = store;
    const theme = themeNow();
    const [paper, ink] = [pixel(theme.paper), pixel(theme.ink)];
    const colour = (this.colours ??= colours(store, theme));
    const labels: Label[] = [];
    raster.clear(width, height, sight.first, sight.past, paper);
    this.data.draw(sight, (depth, start, end, fn) => {
      const left = Math.max(0, Math.floor((start - sight.from) / sight.step + 0.01));
      const right = Math.min(width, Math.max(left + 1, Math.floor((end - sight.from) / sight.step + 0.01)));
      const isMarked = fn === selected || isIn(this.at, depth, start, end) || isIn(this.hover, depth, start, end);
      const wide = right - left > 2 ? right - 1 : right; // a gap, where there is room for one
      const dim = found && !found[fn];
      raster.box(depth, left, wide, isMarked && right - left < 6 ? ink : dim ? blend(colour[fn], paper, 0.25) : colour[fn]);
      if (right - left > 28 * scale || (isMarked && right - left >= 6)) labels.push({ depth, fn, left, right: wide, isMarked });
    });
    const high = Math.max(1, Math.round((row - 1) * scale));
    for (let depth = sight.first; depth < sight.past; depth++) {
      const top = Math.round(this.top(depth) * scale);
      raster.place(depth, top, top + high);
    }
    raster.putInto(this.pen);
    return labels;
  }

  private paintLabels(labels: Label[], scale: number) {
    const { pen, letters, store } = this;
    pen.font = font;
    pen.textBaseline = "middle";
    pen.fillStyle = pen.strokeStyle = themeNow().ink;
    pen.lineWidth = 2;
    for (const { depth, fn, left, right, isMarked } of labels) {
      const [x, wide, y] = [left / scale, (right - left) / scale, this.top(depth)];
      if (isMarked) pen.strokeRect(x + 1, y + 1, wide - 2, row - 3);
      const text = wide > 26 ? letters.fit(store.profile.functions[fn].name, wide - 6) : "";
      if (text) pen.fillText(text, x + 3, y + row / 2);
    }
  }

  private boxAt(event: MouseEvent): Box | null {
    const { left, top, width } = this.canvas.getBoundingClientRect();
    if (event.clientY - top < this.head) return null;
    const y = event.clientY - top - this.head + this.host.scrollTop;
    const depth = Math.floor((this.options.upwards ? this.tall - y : y) / row);
    const step = (this.view[1] - this.view[0]) / width;
    return this.data.at(depth, this.view[0] + (event.clientX - left) * step, step);
  }

  private listen() {
    const { canvas, host } = this;
    host.addEventListener("scroll", () => this.draw());
    this.back.addEventListener("click", () => {
      this.zoomTo(null);
      canvas.focus();
    });
    canvas.addEventListener("pointermove", (event) => event.pointerType !== "touch" && this.point(event));
    canvas.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && this.point(null));
    canvas.addEventListener("dblclick", (event) => this.zoomTo(this.boxAt(event)));
    canvas.addEventListener("keydown", (event) => this.key(event));
    grip(canvas, {
      view: () => this.view,
      zoom: (from, to) => this.zoom(from, to),
      pan: (view, by) => this.pan(view, by),
      tap: (event, isTouch) => this.tap(event, isTouch),
      ended: this.store.ended,
    });
  }

  /** A finger cannot point: a tap shows what a mouse shows above a box, and another one zooms. */
  private tap(event: MouseEvent, isTouch: boolean) {
    const box = this.boxAt(event);
    if (isTouch && box && isIn(this.at, box.depth, box.start, box.end)) return this.zoomTo(box);
    this.choose(box);
    if (isTouch) this.point(event);
  }

  private pan([from, to]: Range, by: number) {
    const held = Math.max(-from, Math.min(this.data.width - to, by));
    this.zoom(from + held, to + held);
  }

  private point(event: MouseEvent | null) {
    const box = event && this.boxAt(event);
    if (box?.depth !== this.hover?.depth || box?.i !== this.hover?.i) {
      this.hover = box;
      this.draw();
    }
    this.tip.hidden = !box;
    if (!box || !event) return;
    this.tip.replaceChildren(...apart(this.options.describe(box)));
    const { left, top, width } = this.host.getBoundingClientRect();
    this.tip.style.left = `${Math.max(0, Math.min(event.clientX - left + 12, width - this.tip.offsetWidth - 8))}px`;
    this.tip.style.top = `${event.clientY - top + this.host.scrollTop + 16}px`;
  }

  private choose(box: Box | null) {
    this.at = box;
    this.said.replaceChildren(...(box ? apart(this.options.describe(box)) : []));
    this.store.select(box ? box.fn : -1);
    this.draw();
  }

  private zoomTo(box: Box | null) {
    if (!box) return this.zoom(...this.whole);
    this.zoom(box.start, box.end);
    this.zoomed = box;
  }

  private key(event: KeyboardEvent) {
    const act = actOf(inCharts, event);
    if (!act) return;
    const up = this.options.upwards ? 1 : -1;
    const go = (box: Box | null) => this.choose(box ?? this.at);
    const acts: Record<ActOf<typeof inCharts>, () => void> = {
      before: () => go(this.neighbour(-1)),
      after: () => go(this.neighbour(1)),
      above: () => go(this.across(up)),
      below: () => go(this.across(-up)),
      zoom: () => this.zoomTo(this.at),
      all: () => this.zoomTo(null),
      closer: () => this.scaleBy(0.5),
      wider: () => this.scaleBy(2),
    };
    acts[act]();
    event.preventDefault();
    if (this.at) this.reveal(this.at.depth);
  }

  private scaleBy(by: number) {
    const middle = (this.view[0] + this.view[1]) / 2;
    const half = ((this.view[1] - this.view[0]) / 2) * by;
    this.zoom(middle - half, middle + half);
  }

  private neighbour(by: 1 | -1): Box | null {
    return this.at ? this.data.neighbour(this.at, by) : this.first();
  }

  private first(): Box | null {
    return this.data.at(0, this.view[0], this.data.width);
  }

  /** Above it the box that it is in, below it the first that is in it. */
  private across(by: number): Box | null {
    if (!this.at) return this.first();
    const { depth, start, end } = this.at;
    return this.data.at(depth + by, start, end - start);
  }

  private reveal(depth: number) {
    const y = this.top(depth);
    if (y < this.head || y + row > this.host.clientHeight) this.host.scrollTop += y - this.host.clientHeight / 2;
  }
}

/** A box with room for its name, by pixels. */
interface Label {
  depth: number;
  fn: number;
  left: number;
  right: number;
  isMarked: boolean;
}

/** The drawn part of a box may be less than all of it. */
const isIn = (box: Box | null, depth: number, start: number, end: number) => box !== null && box.depth === depth && start < box.end && end > box.start;
