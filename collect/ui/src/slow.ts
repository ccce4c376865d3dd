// The slow moments: their kinds with causes, and single ones.
import { element } from "../../../profile/report/src/text";
import type { Cause, SliceRow, Slices, Subject } from "./answers";
import { ask, selection } from "./api";
import { barred, count, labelsOf, milliseconds, nameOf, percent, when } from "./figures";
import { missingMaps, nothing } from "./hints";
import { button, labelledSelect, notesOf, part, type Content, type Page } from "./parts";
import { choosing, viewOf, type State } from "./state";
import { tableOf, type ColumnOf } from "./table";

const kinds: [what: string, name: string][] = [
  ["", "everything slow"],
  ["interaction", "interactions"],
  ["long-frame", "long frames"],
  ["long-task", "long tasks"],
  ["load", "loads"],
  ["navigation", "navigations"],
  ["measure", "the page's own measures"],
];

export function slow(page: Page): Content {
  const { state, go } = page;
  const { what = "", name = "", target = "" } = state.more;
  const load = (signal: AbortSignal) => ask<Slices>("slices", selection(state, { what, name, target, limit: 200 }), signal);
  const kind = labelledSelect("Show", kinds, what, (what) => go(choosing(state, { what, name: "", target: "" })));
  const only = name || target ? [element("span", {}, "only ", element("b", {}, [name, target].filter(Boolean).join(" "))), button("Show all", () => go(choosing(state, { name: "", target: "" })))] : [];
  return [element("div", { class: "tools" }, kind, ...only), missingMaps(page), part(page, "", load, (answer) => show(page, answer))];
}

function show(page: Page, { subjects, slices, notes }: Slices): Content {
  if (!subjects?.length && !slices?.length) return [nothing(page), element("p", { class: "soft" }, "Slow moments come from pages that send slices: ", element("code", {}, "send({ …, slices: true })"), ".")];
  return [
    ...notesOf(notes),
    element("h3", {}, "Kinds"),
    tableOf(page, { label: "Kinds of slow moments", columns: subjectColumns(page, subjects ?? []), rows: subjects ?? [], order: "kinds" }),
    element("h3", {}, "Longest"),
    tableOf(page, { label: "The longest slow moments", columns: sliceColumns(page), rows: slices ?? [], order: "longest" }),
  ];
}

export const subjectOf = ({ what, name, target }: { what: string; name: string; target?: string }) => [name || what, target].filter(Boolean).join(" ");

const ofSubject = (state: State, { what, name, target }: Subject): State => viewOf(state, "slow", { what, name, target: target ?? "" });

const causeOf = (cause: Cause): Content => [cause.name ? nameOf(cause) : cause.group, cause.share > 0 ? ` ${percent(cause.share, 0)}` : ""];

function subjectColumns(page: Page, rows: Subject[]): ColumnOf<Subject>[] {
  const most = Math.max(...rows.map(({ all }) => all), 1);
  return [
    { key: "name", head: "slow", isText: true, by: subjectOf, cell: (row) => [page.link(ofSubject(page.state, row), subjectOf(row)), element("span", { class: "place" }, row.what)] },
    { key: "count", head: "times", title: "Estimated from those that were recorded", by: ({ all }) => all, cell: ({ all, count: n }) => [barred(all / most, count(all), element("span", { class: "interval" }, `of ${count(n)}`))] },
    { key: "p50", head: "median", by: ({ p50Ms }) => p50Ms, cell: ({ p50Ms }) => [milliseconds(p50Ms)] },
    { key: "p75", head: "p75", by: ({ p75Ms }) => p75Ms, cell: ({ p75Ms }) => [milliseconds(p75Ms)] },
    { key: "max", head: "longest", by: ({ maxMs }) => maxMs, cell: ({ maxMs }) => [milliseconds(maxMs)] },
    { key: "cause", head: "mostly caused by", isText: true, by: ({ causes }) => causes?.[0]?.name ?? "", cell: ({ causes }) => (causes ?? []).slice(0, 2).flatMap((cause, i) => [i > 0 ? ", " : "", ...causeOf(cause)]) },
  ];
}

function sliceColumns(page: Page): ColumnOf<SliceRow>[] {
  return [
    { key: "name", head: "slow", isText: true, by: subjectOf, cell: (row) => [page.link(viewOf(page.state, "slice", { slice: row.id }), subjectOf(row)), element("span", { class: "place" }, row.what)] },
    { key: "length", head: "took", by: ({ durationMs }) => durationMs, cell: ({ durationMs }) => [milliseconds(durationMs)] },
    { key: "why", head: "why", isText: true, by: ({ why }) => why, cell: ({ why }) => [element("span", { class: "why" }, why)] },
    { key: "where", head: "where", isText: true, by: ({ labels }) => labels?.route ?? "", cell: ({ labels }) => [labelsOf(labels).filter(([name]) => name === "route" || name === "release" || name === "browser").map(([, value]) => value).join(" · ")] },
    { key: "at", head: "when", isText: true, by: ({ at }) => at, cell: ({ at }) => [when(at)] },
  ];
}

/** The worst kinds, for the overview. */
export function worst(page: Page): HTMLElement {
  const load = (signal: AbortSignal) => ask<Slices>("slices", selection(page.state, { limit: 1 }), signal);
  return part(page, "What was slow", load, ({ subjects }) => {
    if (!subjects?.length) return [element("p", { class: "soft" }, "Nothing slow was recorded.")];
    const most = Math.max(...subjects.map(({ all }) => all), 1);
    const lines = subjects.slice(0, 8).map((subject) => {
      const [cause] = subject.causes ?? [];
      const words = [page.link(ofSubject(page.state, subject), subjectOf(subject)), ...(cause ? [element("span", { class: "place" }, ...causeOf(cause))] : [])];
      return element("li", {}, barred(subject.all / most, ...words, element("span", { class: "value" }, `${milliseconds(subject.p75Ms)} · ${count(subject.all)} times`)));
    });
    return [element("ol", { class: "ranking" }, ...lines), element("p", {}, page.link(viewOf(page.state, "slow"), "Everything that was slow"))];
  });
}

