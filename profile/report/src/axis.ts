// An axis of time: ticks at round moments, in milliseconds or seconds.
import { themeNow } from "./colours";
import { isSlow, type Mark } from "./mark";
import type { Profile } from "./profile";
import type { Range } from "./weights";

/** How high an axis is, and how far apart ticks are at least, in pixels. */
export const axisHeight = 18;
const apart = 90;

export interface Tick {
  at: number;
  label: string;
}

/** Round moments between two, as Profile's times, for so many pixels. */
export function ticksOf({ interval }: Profile, [from, to]: Range, width: number): Tick[] {
  const least = ((to - from) / Math.max(1, width)) * apart;
  const step = roundUp(interval > 0 ? least : Math.max(1, least));
  if (!(step > 0)) return [];
  const name = interval > 0 ? namer(step) : (at: number) => `${Number(at.toPrecision(12))} ticks`;
  const ticks: Tick[] = [];
  for (let k = Math.ceil(from / step); k * step <= to; k++) ticks.push({ at: k * step, label: name(k * step) });
  return ticks;
}

/** The next of …, 1, 2, 5, 10, 20, 50, … */
function roundUp(step: number): number {
  const ten = 10 ** Math.floor(Math.log10(step));
  return [1, 2, 5, 10].map((by) => by * ten).find((round) => round >= step * (1 - 1e-9)) ?? 10 * ten;
}

/** Formats moments in one unit, with as many digits as they need to differ. */
function namer(step: number): (ms: number) => string {
  const [unit, per] = step >= 500 ? ["s", 1000] : step >= 0.5 ? ["ms", 1] : ["µs", 0.001];
  const digits = Math.min(9, Math.max(0, -Math.floor(Math.log10(step / per) + 1e-9)));
  return (ms) => (ms === 0 ? "0" : `${(ms / per).toFixed(digits)} ${unit}`);
}

/** Draws the axis at a height, with a line through what is below it, or above. */
export function drawAxis(pen: CanvasRenderingContext2D, profile: Profile, [from, to]: Range, width: number, top: number, grid: Range) {
  const { ink, faint } = themeNow();
  pen.font = "11px system-ui, sans-serif";
  pen.textBaseline = "middle";
  for (const { at, label } of ticksOf(profile, [from, to], width)) {
    const x = Math.round(((at - from) / (to - from)) * width);
    pen.fillStyle = faint;
    pen.fillRect(x, grid[0], 1, grid[1] - grid[0]);
    const wide = pen.measureText(label).width;
    pen.fillStyle = ink;
    if (x + 4 + wide <= width) pen.fillText(label, x + 4, top + axisHeight / 2);
  }
}

/** Draws what happened at the top, with its length. Something slow has a colour; a slow interaction also has a line through what is below it. */
export function drawMarks(pen: CanvasRenderingContext2D, marks: readonly Mark[], [from, to]: Range, width: number, height: number) {
  const { dark, ink } = themeNow();
  const scale = width / (to - from || 1);
  for (const mark of marks) {
    const { start, end, what } = mark;
    if (end < from || start > to) continue;
    const x = Math.round((start - from) * scale);
    pen.fillStyle = !isSlow(mark) ? ink : dark ? "#ffb454" : "#d9730d";
    pen.fillRect(x, 0, Math.max(1, (end - start) * scale), 3);
    pen.fillRect(x, 0, 1, what === "interaction" ? height : isSlow(mark) ? 3 : 7);
  }
}
