// The programs that are connected: which of them are shown, and start and stop.
import { element, morph } from "../text";
import type { Feed } from "./feed";
import { count } from "./notices";
import { nameOf, type Source } from "./protocol";

const states = ["recording", "connected", "lost", "gone"];

const clocks: [value: string, name: string, meaning: string][] = [
  ["", "best clock", "A shared flag where memory can be shared, else polling."],
  ["shared", "shared flag", "A worker raises the flag. Checks cost least, but the page must be cross-origin isolated."],
  ["poll", "polling", "Checks read the clock. This works in every page, and costs a little more."],
];

const intervals = [1, 2, 5, 10, 20, 50, 100];

export class Sources {
  readonly host: HTMLElement;
  readonly controls: HTMLElement;
  private readonly summary = element("summary");
  private readonly list = element("ul");
  private readonly start = element("button", { type: "button", class: "start" }, "Start");
  private readonly stop = element("button", { type: "button" }, "Stop");
  private readonly interval = element("select", { "aria-label": "Interval" }, ...intervals.map((ms) => element("option", { value: ms, selected: ms === 10 }, `${ms} ms`)));
  private readonly clock = element("select", { "aria-label": "Clock" }, ...clocks.map(([value, name, meaning]) => element("option", { value, title: meaning }, name)));
  private readonly meaning = element("span", { class: "meaning" });

  constructor(private readonly feed: Feed) {
    this.host = element("details", { class: "sources", open: matchMedia("(min-width: 700px)").matches }, this.summary, this.list);
    this.controls = element("div", { class: "controls", role: "group", "aria-label": "Recording" }, this.start, this.stop, this.interval, this.clock, this.meaning);
    this.start.addEventListener("click", () => this.begin(feed.named));
    this.stop.addEventListener("click", () => feed.send({ type: "stop", sources: feed.named }));
    this.clock.addEventListener("change", () => this.explain());
    this.list.addEventListener("click", (event) => this.click(event));
    this.explain();
    this.fill();
    feed.onNews((news) => news !== "snapshot" && this.fill());
  }

  private begin(sources: string[] | undefined) {
    this.feed.send({ type: "start", interval: Number(this.interval.value), clock: this.clock.value || undefined, sources });
  }

  private explain() {
    this.meaning.textContent = clocks.find(([value]) => value === this.clock.value)![2];
    this.clock.title = this.meaning.textContent;
  }

  private fill() {
    const { feed } = this;
    const sources = [...feed.sources].sort((a, b) => Number(a.state === "gone") - Number(b.state === "gone"));
    const shown = sources.filter(({ id }) => feed.isShown(id));
    const counts = states.map((state) => [state, sources.filter((source) => source.state === state).length] as const).filter(([, number]) => number > 0);
    this.summary.textContent = sources.length === 0 ? "No sources" : `${count(sources.length, "source")}: ${counts.map(([state, number]) => `${number} ${state}`).join(", ")}${feed.shown ? ` · ${shown.length} shown` : ""}`;
    this.host.hidden = sources.length === 0;
    const fresh = this.list.cloneNode() as HTMLElement;
    fresh.append(...sources.map((source) => this.lineOf(source)));
    morph(this.list, fresh);
    for (const box of this.list.querySelectorAll("input")) box.checked = feed.isShown(box.value);
    const canAct = feed.connection.is === "open" && !feed.isNoneChosen;
    this.start.disabled = !canAct || (shown.some(({ state }) => state === "recording") && !shown.some(({ state }) => state === "connected"));
    this.stop.disabled = !canAct || !shown.some(({ state }) => state === "recording");
    this.start.textContent = feed.shown ? "Start chosen" : "Start";
    this.stop.textContent = feed.shown ? "Stop chosen" : "Stop";
  }

  private lineOf(source: Source): HTMLElement {
    const { id, what, state, why = "", url, engine, interval = 0, clock = "", samples = 0 } = source;
    const name = nameOf(source);
    const facts = [interval > 0 ? `${interval} ms` : "", interval > 0 ? (clocks.find(([value]) => value && value === clock)?.[1] ?? clock) : "", samples > 0 ? count(samples, "sample") : ""].filter(Boolean).join(" · ");
    const box = element("input", { type: "checkbox", value: id });
    const label = element("label", {}, box, element("span", { class: "what" }, what), element("span", { class: "name" }, name), element("span", { class: "place" }, url === name ? "" : url));
    const status = element("span", { class: `state ${states.includes(state) ? state : ""}`, title: why }, why && state !== "recording" ? `${state}: ${why}` : state);
    const act = state === "connected" || state === "recording" ? [element("button", { type: "button", value: id }, state === "recording" ? "Stop" : "Start")] : [];
    if (act[0]) act[0].setAttribute("aria-label", `${act[0].textContent} ${name}`);
    return element("li", { title: engine }, label, element("span", { class: "facts" }, facts), status, ...act);
  }

  private click({ target }: Event) {
    const { feed } = this;
    if (target instanceof HTMLButtonElement) {
      const id = target.value;
      if (feed.sources.find((source) => source.id === id)?.state === "recording") feed.send({ type: "stop", sources: [id] });
      else this.begin([id]);
    }
    if (!(target instanceof HTMLInputElement)) return;
    const shown = [...this.list.querySelectorAll("input")].filter((box) => box.checked).map((box) => box.value);
    feed.see({ shown: shown.length === feed.sources.length ? null : shown });
  }
}
