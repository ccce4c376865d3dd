// How estimates, counts and moments are written.
import { duration, element } from "../../../profile/report/src/text";
import type { Estimate, Fn } from "./answers";

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });

export const count = (n: number) => (n < 10_000 ? whole.format(n) : compact.format(n));

export const countOf = (n: number, one: string, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;

export function percent(share: number, digits = 1): string {
  return `${(100 * share).toFixed(digits)} %`;
}

export const figure = (n: number) => (Math.abs(n) >= 100 ? whole.format(n) : String(Number(n.toPrecision(3))));

/** An estimate with its interval, if that is known. */
export function estimate(of: Estimate | null, write: (value: number) => string): (Node | string)[] {
  if (!of) return [element("span", { class: "unknown", title: "not known: nothing was recorded that says it" }, "–")];
  const words: (Node | string)[] = [write(of.value)];
  if (of.low < of.high) words.push(" ", element("span", { class: "interval", title: "95 % interval" }, interval(write(of.low), write(of.high))));
  return words;
}

/** Two figures with their unit once, if they have the same. */
function interval(low: string, high: string): string {
  const unit = low.slice(low.lastIndexOf(" "));
  return high.endsWith(unit) ? `${low.slice(0, -unit.length)} – ${high}` : `${low} – ${high}`;
}

export const milliseconds = (ms: number) => duration(ms);

/** How web-vitals rates an INP: in a colour, a symbol and a word. */
export function rating(ms: number): { name: string; symbol: string; says: string } {
  if (ms <= 200) return { name: "good", symbol: "●", says: "good" };
  if (ms <= 500) return { name: "fair", symbol: "▲", says: "needs improvement" };
  return { name: "poor", symbol: "■", says: "poor" };
}

export function rated(of: Estimate | null): (Node | string)[] {
  if (!of) return estimate(of, milliseconds);
  const { name, symbol, says } = rating(of.value);
  return [element("span", { class: `rating ${name}`, title: says }, symbol, element("span", { class: "said" }, ` ${says}: `)), " ", ...estimate(of, milliseconds)];
}

/** A bar of a share, 0 to 1, behind the figure that says the same. */
export function barred(share: number, ...content: (Node | string)[]): HTMLElement {
  const bar = element("span", { class: "amount", "aria-hidden": "true" });
  bar.style.width = `${Math.max(0, Math.min(1, share)) * 100}%`;
  return element("span", { class: "barred" }, bar, element("span", {}, ...content));
}

const moments = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const days = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });

const dateOf = (at: string) => {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? null : date;
};

/** A moment in the reader's own time zone. */
export function when(at: string): HTMLElement | string {
  const date = dateOf(at);
  return date ? element("time", { datetime: date.toISOString() }, moments.format(date)) : "–";
}

/** The same, short: for an axis. */
export const shortly = (ms: number, isDay: boolean) => (isDay ? days : clock).format(ms);

export const spoken = (at: string) => moments.format(dateOf(at) ?? 0);

export const placeOf = ({ file, line }: Fn) => (file ? (line ? `${file}:${line}` : file) : "");

export const nameOf = ({ name }: Fn) => name || "(anonymous)";

/** A function with its place. */
export const named = (fn: Fn, link?: HTMLElement) => [link ?? element("span", { class: "name" }, nameOf(fn)), element("span", { class: "place" }, placeOf(fn))];

export const labelsOf = (labels: Record<string, string> | null) => Object.entries(labels ?? {}).filter(([, value]) => value);
