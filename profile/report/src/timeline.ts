// The whole recording on one line: how busy it was, and with what. A stretch of it can
// be selected here.
import { axisHeight, drawAxis, drawMarks } from "./axis";
import { binsOf } from "./bins";
import { COLLECTOR, kinds, LOST, NATIVE, PROGRAM, SCRIPT } from "./columns";
import { themeNow } from "./colours";
import type { Store } from "./store";
import { element, moment, share } from "./text";

const height = 64;

/** From the bottom: kinds of function, and their colours in the light and in the dark. */
const layers: [kind: number, name: string, light: string, dark: string][] = [
  [SCRIPT, "script", "#4f86d9", "#5d8fdd"],
  [NATIVE, "native", "#8d97a8", "#79839a"],
  [PROGRAM, "program", "#b8ad93", "#857c68"],
  [COLLECTOR, "collector", "#a866c9", "#a06cc0"],
  [LOST, "lost", "#d96060", "#c25555"],
];

export class Timeline {
  readonly host: HTMLElement;
  private readonly canvas = element("canvas");
  private readonly strip: HTMLElement;
  private readonly brush = element("div", { class: "brush" });
  private readonly said = element("output", { class: "stretch" });
  private readonly from: HTMLInputElement;
  private readonly to: HTMLInputElement;
  private drawing = 0;
  private isHeld = false; // a stretch is being selected

  constructor(private readonly store: Store) {
    this.from = this.edge("Begin of the stretch");
    this.to = this.edge("End of the stretch");
    const all = element("button", { type: "button" }, "Whole recording");
    all.addEventListener("click", () => store.setRange([0, store.profile.end]));
    const key = element("span", { class: "key" });
    const { dark } = themeNow();
    for (const [, name, light, night] of layers) {
      const mark = element("i");
      mark.style.background = dark ? night : light;
      key.append(mark, name, " ");
    }
    const edges = element("div", { class: "edges" }, this.from, this.to);
    this.strip = element("div", { class: "strip" }, this.canvas, this.brush);
    this.host = element("section", { class: "timeline", "aria-label": "Time" }, this.strip, edges, element("div", { class: "line" }, key, this.said, all));
    this.drag();
    new ResizeObserver(() => this.paint()).observe(this.strip);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.paint(), { signal: store.ended });
    store.onChange((changed) => {
      if (changed === "data" || store.isOther(changed)) this.follow();
      if (changed === (LIVE ? "data" : "folds")) this.draw();
    });
    this.follow();
  }

  /** Edges are sliders, for keyboards and screen readers. */
  private edge(label: string): HTMLInputElement {
    const input = element("input", { type: "range", min: 0, max: 1000, step: 1, "aria-label": label });
    input.addEventListener("change", () => {
      const { end } = this.store.profile;
      this.store.setRange([(Number(this.from.value) / 1000) * end, (Number(this.to.value) / 1000) * end]);
    });
    return input;
  }

  private follow() {
    const { profile, range, isWhole, weights } = this.store;
    const end = profile.end || 1;
    const [from, to] = range;
    if (!this.isHeld) {
      this.brush.style.left = `${(100 * from) / end}%`;
      this.brush.style.width = `${(100 * (to - from)) / end}%`;
      this.brush.hidden = isWhole;
    }
    if (!this.from.matches(":active")) this.from.value = String((1000 * from) / end);
    if (!this.to.matches(":active")) this.to.value = String((1000 * to) / end);
    const busy = weights.hidden > 0 ? `, ${share(weights.all, weights.all + weights.hidden)} busy` : "";
    const samples = `${weights.past - weights.first} samples${busy}`;
    this.said.textContent = isWhole ? `${moment(profile, profile.end)}, ${samples}` : `${moment(profile, from)} to ${moment(profile, to)}, ${samples}`;
  }

  private drag() {
    let start = 0;
    const at = (event: PointerEvent) => {
      const { left, width } = this.canvas.getBoundingClientRect();
      return Math.max(0, Math.min(1, (event.clientX - left) / width)) * this.store.profile.end;
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      this.isHeld = true;
      start = at(event);
      this.canvas.setPointerCapture(event.pointerId);
    });
    const stretch = (event: PointerEvent): [number, number] => [Math.min(start, at(event)), Math.max(start, at(event))];
    this.canvas.addEventListener("pointermove", (event) => {
      if (!this.isHeld) return;
      const [from, to] = stretch(event);
      const end = this.store.profile.end || 1;
      this.brush.hidden = false;
      this.brush.style.left = `${(100 * from) / end}%`;
      this.brush.style.width = `${(100 * (to - from)) / end}%`;
    });
    this.canvas.addEventListener("pointerup", (event) => {
      const wasHeld = this.isHeld;
      this.isHeld = false;
      if (wasHeld) this.store.setRange(stretch(event)); // a click selects all
    });
    this.canvas.addEventListener("pointercancel", () => (this.isHeld = false));
  }

  private draw() {
    this.drawing ||= requestAnimationFrame(() => {
      this.drawing = 0;
      this.paint();
    });
  }

  private paint() {
    const { store, width } = this;
    if (!width) return;
    const { profile, made, marks } = store;
    const scale = devicePixelRatio || 1;
    this.canvas.width = width * scale;
    this.canvas.height = (height + axisHeight) * scale;
    this.canvas.style.height = `${height + axisHeight}px`;
    const pen = this.canvas.getContext("2d")!;
    pen.scale(scale, scale);
    if (made.bins?.length !== width * kinds) made.bins = binsOf(profile, width);
    const { dark } = themeNow();
    drawAxis(pen, profile, [0, profile.end], width, height, [0, height + axisHeight]);
    for (let x = 0; x < width; x++) {
      const bin = made.bins.subarray(x * kinds, (x + 1) * kinds);
      const all = bin.reduce((sum, part) => sum + part, 0);
      let y = height;
      for (const [kind, , light, night] of layers) {
        if (bin[kind] === 0) continue;
        const tall = (bin[kind] / all) * (height - 4);
        pen.fillStyle = dark ? night : light;
        pen.fillRect(x, y - tall, 1, tall);
        y -= tall;
      }
    }
    drawMarks(pen, marks, [0, profile.end], width, height);
  }

  /** In pixels. */
  get width(): number {
    return this.strip.clientWidth;
  }
}
