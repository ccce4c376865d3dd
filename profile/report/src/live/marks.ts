// What happened, in a list: slow interactions and long tasks first, the worst at the top;
// then the newest of the rest. A row shows its range of time.
import { Rows } from "../rows";
import { duration, element } from "../text";
import type { View } from "../views";
import type { Feed } from "./feed";
import type { Noted } from "./member";
import { nameOf } from "./notices";

const names: { [what: string]: string } = { "long-task": "long task", frame: "frame data" };

const isSlow = ({ what }: Noted) => what === "interaction" || what === "long-task";

/** Worst first, then newest first. */
export function inOrder(marks: Noted[]): Noted[] {
  return [...marks].sort((a, b) => Number(isSlow(b)) - Number(isSlow(a)) || (isSlow(a) ? b.end - b.start - (a.end - a.start) : 0) || b.start - a.start);
}

export function marksView(feed: Feed): View {
  const { store } = feed;
  let marks: Noted[] = [];
  let chosen: Noted | undefined;
  const isSame = (a: Noted, b?: Noted) => b !== undefined && a.start === b.start && a.what === b.what && a.name === b.name && a.source === b.source;
  const choose = (i: number) => {
    chosen = marks[i];
    const origin = feed.latest!.origin;
    const around = Math.max(1, 0.02 * (chosen.end - chosen.start));
    store.setRange([chosen.start - origin - around, chosen.end - origin + around]);
    table.mark();
  };
  const sourceOf = ({ source }: Noted) => feed.sources.find(({ id }) => id === feed.latest?.sources[source]);
  const table = new Rows({
    label: "Marks",
    role: "grid",
    heads: ["at", "length", "what", "name"].map((text) => element("th", { scope: "col" }, text)),
    line: (i) => {
      const mark = marks[i];
      const source = sourceOf(mark);
      const name = element("td", { class: "function" }, element("span", { class: "name" }, mark.name || mark.what), element("span", { class: "place" }, [mark.detail, feed.sources.length > 1 && source ? nameOf(source) : ""].filter(Boolean).join(" · ")));
      const cells = [duration(mark.start - feed.latest!.origin), mark.end > mark.start ? duration(mark.end - mark.start) : ""].map((text) => element("td", {}, text));
      return element("tr", { role: "row", "data-fn": i, class: isSlow(mark) ? "slow" : "" }, ...cells, element("td", { class: "kind" }, names[mark.what] ?? mark.what), name);
    },
    mark: (line, i) => line.setAttribute("aria-selected", String(isSame(marks[i], chosen))),
    click: choose,
    key: (i, key) => (key === "Enter" || key === " ") && (choose(i), true),
  });
  const none = element("p", { class: "none" }, "Nothing is marked yet. Slow interactions and long tasks appear here as they happen, and what the page marks itself: performance.mark, performance.measure and frame data.");
  const host = element("div", { class: "marks" }, none, table.host);
  const list = () => {
    marks = inOrder(feed.latest?.marks ?? []);
    none.hidden = marks.length > 0;
    table.host.hidden = marks.length === 0;
  };
  const fill = () => {
    list();
    table.show(marks.length, "first");
  };
  feed.onNews((news) => {
    if (news !== "snapshot" || !host.isConnected) return;
    const active = marks[table.activeRow];
    list();
    table.update(marks.length, active ? marks.findIndex((mark) => isSame(mark, active)) : 0);
  });
  return { name: "Marks", host, fill };
}
