// The ticks by where they went, as a band of figures, and the losses, in words.
import { COLLECTOR, IDLE, LOST, NATIVE, PROGRAM, SCRIPT } from "../columns";
import { element, morph, share } from "../text";
import type { Feed } from "./feed";
import { count } from "./notices";
import type { Account } from "./protocol";
import type { Losses } from "./wire";

export interface Figure {
  name: string;
  ticks: number;
  of: number;
}

/** The parts of all ticks, by the account of the clock; by what was sampled where there is no account. */
export function figuresOf(account: Account, ticks: ArrayLike<number>): Figure[] {
  const { raised = 0, taken = 0, idle = 0, program = 0, gc = 0, lost = 0 } = account;
  const native = raised > 0 ? Math.min(taken, ticks[NATIVE]) : ticks[NATIVE];
  const parts: [name: string, counted: number, sampled: number][] = [
    ["script", taken - native, ticks[SCRIPT]],
    ["native", native, native],
    ["program", program, ticks[PROGRAM]],
    ["collector", gc, ticks[COLLECTOR]],
    ["idle", idle, ticks[IDLE]],
    ["lost", lost, ticks[LOST]],
  ];
  const figures = parts.map(([name, counted, sampled]) => ({ name, ticks: raised > 0 ? counted : sampled }));
  const of = figures.reduce((all, { ticks }) => all + ticks, 0);
  return figures.map((figure) => ({ ...figure, of }));
}

/** The losses, a sentence each. */
export function lossesOf({ missed = 0, lost = 0 }: Account, { dropped, forgotten, isFull, notes }: Losses): string[] {
  return [
    missed > 0 ? `${count(missed, "tick")} missed: the clock could not run when they were due.` : "",
    lost > 0 ? `${count(lost, "tick")} lost: raised, but no check took them.` : "",
    dropped.batches > 0 ? `${count(dropped.batches, "batch", "batches")} dropped with ${count(dropped.ticks, "tick")}: the panel did not get what could not be kept or sent in time.` : "",
    forgotten > 0 ? `The oldest ${count(forgotten, "sample")} are no longer here: a panel holds a million. Save has what the server holds.` : "",
    isFull ? "There is no room for more paths of calls: new ones count in their callers." : "",
    ...notes,
  ].filter(Boolean);
}

export class Figures {
  readonly host: HTMLElement;
  private readonly band = element("div", { class: "band", "aria-hidden": "true" });
  private readonly list = element("dl");
  private readonly losses = element("ul", { class: "losses", "aria-label": "Losses" });

  constructor(private readonly feed: Feed) {
    this.host = element("section", { class: "figures", "aria-label": "All ticks", hidden: true }, this.band, this.list, this.losses);
    feed.onNews((news) => news === "snapshot" && this.fill());
  }

  private fill() {
    const { account, ticks, losses } = this.feed.latest!;
    const figures = figuresOf(account, ticks);
    const [{ of }] = figures;
    this.host.hidden = of === 0;
    const [band, list, words] = [this.band, this.list, this.losses].map((part) => part.cloneNode() as HTMLElement);
    for (const { name, ticks } of figures) {
      const part = element("i", { class: name });
      part.style.flexGrow = String(ticks);
      band.append(part);
      list.append(element("div", { class: name, title: count(ticks, "tick") }, element("dt", {}, name), element("dd", {}, share(ticks, of))));
    }
    words.append(...lossesOf(account, losses).map((text) => element("li", {}, text)));
    words.hidden = words.children.length === 0;
    morph(this.band, band);
    morph(this.list, list);
    morph(this.losses, words);
  }
}
