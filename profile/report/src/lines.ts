// The lines of a function's file with the time of each: of execution, by the frames on
// top, and of waiting for calls.
import { SCRIPT } from "./columns";
import type { Store } from "./store";
import { amount, element, morph } from "./text";

/** How many lines are shown from a definition on, and around a hot one. */
const [body, around] = [12, 3];
const most = 2000;
/** The ends of lines for engines and source maps. */
const lineEnd = /\r\n|[\n\r\u2028\u2029]/;

export class Lines {
  readonly host = element("section", { class: "lines", "aria-label": "Source" });

  constructor(private readonly store: Store) {}

  fill() {
    const { profile, texts, fn } = this.store;
    const { file, line } = profile.functions[fn];
    const text = texts(file);
    const heat = this.heat(file);
    const reason = this.reason(heat.size === 0, text === undefined);
    if (heat.size === 0 && text === undefined) return this.host.replaceChildren(element("p", { class: "reason" }, reason));
    let hottest = 1;
    for (const ticks of heat.values()) hottest = Math.max(hottest, ticks); // more than a call can take
    const list = element("ol");
    if (text === undefined) {
      for (const [at, ticks] of [...heat].sort((a, b) => b[1] - a[1]).slice(0, 50)) list.append(this.line(at, "", ticks, hottest));
    } else {
      const lines = text.split(lineEnd);
      let last = 0;
      for (const at of shown(lines.length, heat, line)) {
        if (at > last + 1) list.append(element("li", { class: "gap" }, "⋯"));
        list.append(this.line(at, lines[at - 1], heat.get(at) ?? 0, hottest));
        last = at;
      }
    }
    const content = [element("h3", {}, `Lines of ${file}`), ...(reason ? [element("p", { class: "reason" }, reason)] : []), list];
    if (!LIVE) return this.host.replaceChildren(...content);
    const fresh = this.host.cloneNode() as HTMLElement;
    fresh.append(...content);
    morph(this.host, fresh);
  }

  /** Why lines have no heat or no text; "" if they have both. */
  private reason(isCold: boolean, isUnknown: boolean): string {
    const { store } = this;
    const { profile, fn, isWhole } = store;
    const { file, kind } = profile.functions[fn];
    if (kind !== SCRIPT || !file) return "This is no code of the program, so it has no lines.";
    if (isCold && !profile.line.some((line) => line > 0)) return "No heat on lines: this profile says in which functions time was spent, and not on which lines.";
    if (isCold) return `No heat on lines: no sample ${isWhole ? "" : "of this stretch "}was taken on a line of this file. Its time is in what it calls.`;
    return isUnknown && !LIVE ? `No text: the source is not in this report. ${store.advice}` : "";
  }

  private line(at: number, text: string, ticks: number, hottest: number): HTMLElement {
    const heat = ticks > 0 ? amount(this.store.profile, ticks) : "";
    const line = element("li", {}, element("span", { class: "heat" }, heat), element("span", { class: "number" }, String(at)), element("code", {}, text.slice(0, 400)));
    line.style.setProperty("--heat", `${Math.round((60 * ticks) / hottest)}%`);
    return line;
  }

  /** Ticks by line, of samples with a frame of the file on top. */
  private heat(file: string): Map<number, number> {
    const { profile, weights } = this.store;
    const { node, line, weight, fn } = profile;
    const isIn = Uint8Array.from(profile.functions, (of) => (of.file === file ? 1 : 0));
    const heat = new Map<number, number>();
    for (let i = weights.first; i < weights.past; i++) {
      if (line[i] > 0 && isIn[fn[node[i]]]) heat.set(line[i], (heat.get(line[i]) ?? 0) + weight[i]);
    }
    return heat;
  }
}

/** The lines near those with heat, and near the definition. */
function shown(count: number, heat: Map<number, number>, defined: number): number[] {
  const lines = new Set<number>();
  const add = (from: number, to: number) => {
    for (let at = Math.max(1, from); at <= Math.min(count, to); at++) lines.add(at);
  };
  if (defined > 0) add(defined - around, defined + body);
  for (const [at] of [...heat].sort((a, b) => b[1] - a[1])) if (lines.size < most) add(at - around, at + around);
  return [...lines].sort((a, b) => a - b);
}
