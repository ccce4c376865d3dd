// The whole recording on one line: how busy it was, and with what. A stretch of it can
// be selected here.
import { axisHeight, drawAxis } from "./axis";
import { COLLECTOR, IDLE, LOST, NATIVE, PROGRAM, SCRIPT } from "./columns";
import { themeNow } from "./colours";
import type { Profile } from "./profile";
import type { Store } from "./store";
import { element, moment } from "./text";

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
  private bins: Float64Array = new Float64Array(); // the time of each kind in each pixel

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
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.paint());
    store.onChange((changed) => changed === "range" && this.follow());
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
    this.brush.style.left = `${(100 * from) / end}%`;
    this.brush.style.width = `${(100 * (to - from)) / end}%`;
    this.brush.hidden = isWhole;
    this.from.value = String((1000 * from) / end);
    this.to.value = String((1000 * to) / end);
    const samples = `${weights.past - weights.first} samples`;
    this.said.textContent = isWhole ? `${moment(profile, profile.end)}, ${samples}` : `${moment(profile, from)} to ${moment(profile, to)}, ${samples}`;
  }

  private drag() {
    let start = 0;
    let held = false;
    const at = (event: PointerEvent) => {
      const { left, width } = this.canvas.getBoundingClientRect();
      return Math.max(0, Math.min(1, (event.clientX - left) / width)) * this.store.profile.end;
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      held = true;
      start = at(event);
      this.canvas.setPointerCapture(event.pointerId);
    });
    const stretch = (event: PointerEvent): [number, number] => [Math.min(start, at(event)), Math.max(start, at(event))];
    this.canvas.addEventListener("pointermove", (event) => {
      if (!held) return;
      const [from, to] = stretch(event);
      const end = this.store.profile.end || 1;
      this.brush.hidden = false;
      this.brush.style.left = `${(100 * from) / end}%`;
      this.brush.style.width = `${(100 * (to - from)) / end}%`;
    });
    this.canvas.addEventListener("pointerup", (event) => {
      if (held) this.store.setRange(stretch(event)); // a click selects all
      held = false;
    });
  }

  private paint() {
    const width = this.strip.clientWidth;
    if (!width) return;
    const scale = devicePixelRatio || 1;
    this.canvas.width = width * scale;
    this.canvas.height = (height + axisHeight) * scale;
    this.canvas.style.height = `${height + axisHeight}px`;
    const pen = this.canvas.getContext("2d")!;
    pen.scale(scale, scale);
    if (this.bins.length !== width * kinds) this.bins = binsOf(this.store.profile, width);
    const { dark } = themeNow();
    drawAxis(pen, this.store.profile, [0, this.store.profile.end], width, height, [0, height + axisHeight]);
    for (let x = 0; x < width; x++) {
      const bin = this.bins.subarray(x * kinds, (x + 1) * kinds);
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
  }
}

function binsOf(profile: Profile, width: number): Float64Array {
  const { node, fn, time, functions } = profile;
  const kindOf = Int32Array.from(functions, ({ kind }) => kind);
  const bins = new Float64Array(width * kinds);
  const scale = width / (profile.end || 1);
  for (let i = 0; i < node.length; i++) {
    const kind = node[i] < 0 ? PROGRAM : kindOf[fn[node[i]]];
    const from = profile.began(i) * scale;
    const to = time[i] * scale;
    const first = Math.floor(from);
    if (to <= first + 1 && first < width) bins[first * kinds + kind] += to - from; // as almost all
    else for (let x = first; x < to && x < width; x++) bins[x * kinds + kind] += Math.min(to, x + 1) - Math.max(from, x);
  }
  return bins;
}

const kinds = Math.max(SCRIPT, NATIVE, IDLE, COLLECTOR, PROGRAM, LOST) + 1;
