// A line with its interval over time, in SVG. Its figures are also in a table, so the picture
// has one label.
import { printable } from "../../../profile/report/src/printable";
import { element } from "../../../profile/report/src/text";
import type { Estimate } from "./answers";
import { percent, shortly } from "./figures";

export interface Point {
  at: number;
  of: Estimate | null;
}

export interface LineOptions {
  label: string;
  points: Point[];
  /** Moments with a name, such as releases. */
  marks: { name: string; at: number }[];
  /** How far apart points are, in milliseconds. */
  step: number;
}

const high = 260;
const room = { top: 22, right: 12, bottom: 24, left: 56 };

export class LineChart {
  readonly host = element("div", { class: "line-chart" });
  private readonly resizing = new ResizeObserver(() => this.draw());
  private wide = 0;

  constructor(private readonly options: LineOptions) {
    this.resizing.observe(this.host);
  }

  end() {
    this.resizing.disconnect();
  }

  private draw() {
    const wide = this.host.clientWidth;
    if (wide === 0 || wide === this.wide) return;
    this.wide = wide;
    const { points, label, step } = this.options;
    const known = points.filter(({ of }) => of);
    const from = Math.min(...known.map(({ at }) => at));
    const to = Math.max(...known.map(({ at }) => at), from + step);
    const top = niceTop(Math.max(...known.map(({ of }) => Math.max(of!.high, of!.value))));
    const x = (at: number) => room.left + ((at - from) / (to - from)) * (wide - room.left - room.right);
    const y = (value: number) => high - room.bottom - (value / top) * (high - room.top - room.bottom);
    const picture = svg("svg", { role: "img", "aria-label": printable(label), width: wide, height: high, viewBox: `0 0 ${wide} ${high}` });
    picture.append(...this.axes(wide, [from, to], top, x, y), ...this.marked(from, to, x), ...runs(points).flatMap((run) => drawn(run, x, y)));
    this.host.replaceChildren(picture);
  }

  private axes(wide: number, [from, to]: [number, number], top: number, x: (at: number) => number, y: (value: number) => number): SVGElement[] {
    const parts: SVGElement[] = [];
    for (let k = 0; k <= 4; k++) {
      const value = (top * k) / 4;
      parts.push(svg("line", { class: "grid", x1: room.left, x2: wide - room.right, y1: y(value), y2: y(value) }));
      parts.push(text(percent(value, top < 0.04 ? 2 : 1), { x: room.left - 6, y: y(value) + 4, "text-anchor": "end" }));
    }
    const isDay = to - from > 36 * 3600e3;
    const count = Math.max(1, Math.min(6, Math.floor((wide - room.left) / 110)));
    for (let k = 0; k <= count; k++) {
      const at = from + ((to - from) * k) / count;
      parts.push(text(shortly(at, isDay), { x: x(at), y: high - 6, "text-anchor": k === 0 ? "start" : k === count ? "end" : "middle" }));
    }
    return parts;
  }

  /** Names that would cover each other are left out; their lines have them as titles. */
  private marked(from: number, to: number, x: (at: number) => number): SVGElement[] {
    let free = 0;
    return this.options.marks
      .filter(({ at }) => at >= from && at <= to)
      .sort((a, b) => a.at - b.at)
      .flatMap(({ name, at }) => {
        const line = svg("line", { class: "mark", x1: x(at), x2: x(at), y1: room.top - 6, y2: high - room.bottom });
        const title = svg("title");
        title.textContent = printable(`release ${name}`);
        line.append(title);
        const words = name.length > 14 ? `${name.slice(0, 13)}…` : name;
        const width = words.length * 7 + 8;
        if (x(at) < free) return [line];
        const isLast = x(at) + width > this.wide;
        free = x(at) + width;
        return [line, text(words, { x: x(at) + (isLast ? -4 : 4), y: 12, "text-anchor": isLast ? "end" : "start" })];
      });
  }
}

/** Points without a gap between them. */
function runs(points: Point[]): Point[][] {
  const found: Point[][] = [];
  let run: Point[] = [];
  for (const point of [...points, { at: 0, of: null }]) {
    if (point.of) run.push(point);
    else if (run.length > 0) {
      found.push(run);
      run = [];
    }
  }
  return found;
}

function drawn(run: Point[], x: (at: number) => number, y: (value: number) => number): SVGElement[] {
  const at = (point: Point, value: number) => `${x(point.at).toFixed(1)},${y(value).toFixed(1)}`;
  const band = [...run.map((point) => at(point, point.of!.high)), ...run.toReversed().map((point) => at(point, point.of!.low))];
  const dots = run.map((point) => {
    const { value, low, high } = point.of!;
    const dot = svg("circle", { class: "dot", cx: x(point.at), cy: y(value), r: 3 });
    const title = svg("title");
    title.textContent = `${new Date(point.at).toLocaleString()}: ${percent(value, 2)} (${percent(low, 2)} to ${percent(high, 2)})`;
    dot.append(title);
    return dot;
  });
  return [svg("polygon", { class: "band", points: band.join(" ") }), svg("polyline", { class: "curve", points: run.map((point) => at(point, point.of!.value)).join(" ") }), ...dots];
}

/** The next round number: 1, 2, 4 or 8 times a power of ten. */
function niceTop(value: number): number {
  if (!(value > 0)) return 0.01;
  const ten = 10 ** Math.floor(Math.log10(value));
  return Math.min(1, ([1, 2, 4, 8, 10].find((by) => by * ten >= value * 1.05) ?? 20) * ten);
}

function svg<Name extends keyof SVGElementTagNameMap>(name: Name, attributes: Record<string, string | number> = {}): SVGElementTagNameMap[Name] {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

function text(words: string, attributes: Record<string, string | number>): SVGTextElement {
  const made = svg("text", attributes);
  made.textContent = printable(words);
  return made;
}
