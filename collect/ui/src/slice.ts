// One slow moment: why it was slow, where its time went, and its own profile.
import { element } from "../../../profile/report/src/text";
import type { Slice, SliceFunction } from "./answers";
import { ask, ofApp } from "./api";
import { bench } from "./bench";
import { exportsOf } from "./exports";
import { count, labelsOf, milliseconds, named, nameOf, percent, placeOf, when } from "./figures";
import { part, type Content, type Page } from "./parts";
import { subjectOf } from "./slow";
import { viewOf } from "./state";
import { tableOf, type ColumnOf } from "./table";

export function slice(page: Page): Content {
  const path = `slices/${encodeURIComponent(page.state.more.slice ?? "")}`;
  const words = () => ofApp(page.state);
  return [
    element("p", {}, page.link(viewOf(page.state, "slow"), "All slow moments")),
    part(page, "", (signal) => ask<Slice>(path, words(), signal), (answer) => show(page, answer)),
    element("div", { class: "tools" }, exportsOf(`${path}/profile`, words())),
    bench(page, { path: `${path}/profile`, words: words(), isSteady: true, empty: () => [element("p", { class: "soft" }, "Nothing was sampled in its time.")] }),
  ];
}

function show(page: Page, of: Slice): Content {
  const parts: [name: string, ms: number][] = [
    ["input delay", of.inputDelayMs],
    ["processing", of.processingMs],
    ["presentation", of.presentationMs],
  ];
  const facts: [name: string, value: Content][] = [
    ["took", [milliseconds(of.durationMs)]],
    ...parts.filter(([, ms]) => ms > 0).map(([name, ms]): [string, Content] => [name, [milliseconds(ms)]]),
    ...(of.handler ? [["handler", [nameOf(of.handler), " ", element("span", { class: "place" }, placeOf(of.handler))]] as [string, Content]] : []),
    ["when", [when(of.at)]],
    ["represents", [`${count(of.weight)} in all sessions`]],
    ...labelsOf(of.labels).map(([name, value]): [string, Content] => [name, [value]]),
  ];
  return [
    element("h3", { class: "subject" }, subjectOf(of)),
    element("p", { class: "sentence" }, of.why),
    groupsOf(of),
    element("dl", { class: "facts" }, ...facts.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, ...value)))),
    ...(of.functions?.length ? [tableOf(page, { label: "Functions of the slow moment", columns: columns, rows: of.functions })] : []),
  ];
}

/** Whose time it was, in the order in which groups are listed. */
const groups = ["own", "framework", "third-party", "native", "gc", "style", "layout", "paint", "other", "waiting"];

function groupsOf({ groups: times }: Slice): HTMLElement {
  const known = Object.entries(times ?? {}).filter(([, ms]) => ms > 0);
  known.sort(([a], [b]) => groups.indexOf(a) - groups.indexOf(b));
  const all = known.reduce((sum, [, ms]) => sum + ms, 0);
  const kind = (name: string) => `group-${groups.includes(name) ? name : "other"}`;
  const bar = known.map(([name, ms]) => {
    const box = element("i", { class: kind(name) });
    box.style.flexGrow = String(ms / (all || 1));
    return box;
  });
  const legend = known.map(([name, ms]) => element("li", {}, element("i", { class: kind(name) }), `${name} `, element("b", {}, milliseconds(ms)), ` ${percent(ms / (all || 1), 0)}`));
  return element("div", { class: "groups" }, element("div", { class: "stack", "aria-hidden": "true" }, ...bar), element("ul", { "aria-label": "Whose time it was" }, ...legend));
}

const columns: ColumnOf<SliceFunction>[] = [
  { key: "name", head: "function", isText: true, by: nameOf, cell: (row) => named(row) },
  { key: "group", head: "whose", isText: true, by: ({ group }) => group, cell: ({ group }) => [group] },
  { key: "self", head: "self", by: ({ selfMs }) => selfMs, cell: ({ selfMs }) => [milliseconds(selfMs)] },
  { key: "total", head: "total", by: ({ totalMs }) => totalMs, cell: ({ totalMs }) => [milliseconds(totalMs)] },
];
