// The overview: figures of the whole selection, and of each route, release or whatever its
// reader chooses.
import { element } from "../../../profile/report/src/text";
import type { Overview, OverviewRow } from "./answers";
import { ask, selection } from "./api";
import { barred, count, countOf, estimate, figure, milliseconds, percent, rated, rating } from "./figures";
import { hottest } from "./functions";
import { nothing } from "./hints";
import { part, type Content, type Page } from "./parts";
import { worst } from "./slow";
import { choosing, having, viewOf, type State } from "./state";
import { tableOf, type ColumnOf } from "./table";

const usualBy = "route,release";

/** Labels that it can be divided by, where the values of all labels are not known yet. */
const usualLabels = ["route", "release", "browser", "os", "device", "connection", "locale"];

export function overview(page: Page): Content {
  const by = (page.state.more.by ?? usualBy).split(",").filter(Boolean);
  const load = (by: string[]) => (signal: AbortSignal) => ask<Overview>("overview", selection(page.state, { by: by.join(",") || null }), signal);
  const rest = [
    dimensions(page, by),
    part(page, "", load(by), ({ rows }) => (rows?.length ? [tableOf(page, { label: "Overview", columns: columnsOf(page, by, rows), rows })] : [])),
    element("div", { class: "columns" }, hottest(page), worst(page)),
  ];
  const whole = part(page, "", load([]), ({ rows }) => {
    if (rows?.length && rows[0].chunks > 0) return [cards(rows[0])];
    for (const part of rest) part.hidden = true;
    return [nothing(page)];
  });
  return [whole, ...rest];
}

/** The figures of everything in the selection. */
function cards({ chunks, views, allViews, inp, inpViews, slowShare, cpu, busyShare, longTasks }: OverviewRow): HTMLElement {
  const card = (name: string, value: Content, about: string, kind = "") => element("div", { class: `card ${kind}` }, element("dt", {}, name), element("dd", {}, ...value), element("dd", { class: "about" }, about));
  return element(
    "dl",
    { class: "cards" },
    card("page views", [views > 0 ? count(allViews) : "–"], views > 0 ? `estimated from ${countOf(views, "recorded view")}` : `${countOf(chunks, "chunk")} that do not say of which view`),
    card("INP, 75th percentile", rated(inp), inp ? `${rating(inp.value).says}; ${countOf(inpViews, "view")} with one` : "no view has one", inp ? rating(inp.value).name : ""),
    card("slow interactions", estimate(slowShare, (share) => percent(share)), "of all interactions"),
    card("CPU per view", estimate(cpu, milliseconds), busyShare ? `main thread; busy ${percent(busyShare.value)} of the time` : "main thread"),
    card("long tasks per view", [longTasks === null ? "–" : figure(longTasks)], "of 50 ms or more"),
  );
}

/** Chooses the labels of the rows. */
function dimensions({ state, go, labels, signal }: Page, by: string[]): HTMLElement {
  const list = element("div", { class: "tools", role: "group", "aria-label": "One row for each" });
  const fill = (names: string[]) => {
    const hasFocus = document.activeElement?.textContent;
    const isWithin = list.contains(document.activeElement);
    const all = [...new Set([...by, ...names])].slice(0, 14);
    list.replaceChildren(
      element("span", { class: "soft" }, "One row for each"),
      ...all.map((name) => {
        const isChosen = by.includes(name);
        const box = element("button", { type: "button", "aria-pressed": String(isChosen) }, name);
        const next = isChosen ? by.filter((other) => other !== name) : [...by, name].slice(-3);
        box.addEventListener("click", () => go(choosing(state, { by: next.join(",") === usualBy ? "" : next.join(",") || "," })));
        return box;
      }),
    );
    if (isWithin) [...list.querySelectorAll("button")].find((box) => box.textContent === hasFocus)?.focus();
  };
  fill(usualLabels);
  labels.then(
    (known) => !signal.aborted && fill(known.map(({ name }) => name)),
    () => undefined, // the usual ones are there
  );
  return list;
}

function columnsOf(page: Page, by: string[], rows: OverviewRow[]): ColumnOf<OverviewRow>[] {
  const most = Math.max(...rows.map(({ allViews }) => allViews));
  const longest = Math.max(...rows.map(({ cpu }) => cpu?.value ?? 0));
  const value = (row: OverviewRow, label: string) => row.labels?.[label] ?? "";
  const labels = by.map((label, i): ColumnOf<OverviewRow> => {
    const cell = (row: OverviewRow) => [i === 0 ? page.link(narrowed(page.state, by, row), value(row, label) || "(unknown)") : value(row, label) || "(unknown)"];
    return { key: label, head: label, isText: true, by: (row) => value(row, label), cell };
  });
  return [
    ...labels,
    { key: "views", head: "views", title: "Page views, estimated from those that were recorded", by: ({ allViews }) => allViews, cell: ({ allViews, views }) => (views > 0 ? [barred(allViews / most, count(allViews), element("span", { class: "interval" }, `of ${count(views)}`))] : ["–"]) },
    { key: "inp", head: "p75 INP", title: "Interaction to Next Paint: 75th percentile of the page views", by: ({ inp }) => inp?.value ?? -1, cell: ({ inp }) => rated(inp) },
    { key: "slow", head: "slow", title: "Share of the interactions that were slow", by: ({ slowShare }) => slowShare?.value ?? -1, cell: ({ slowShare }) => estimate(slowShare, (share) => percent(share)) },
    { key: "cpu", head: "CPU / view", title: "Busy time of the main thread per page view", by: ({ cpu }) => cpu?.value ?? -1, cell: ({ cpu }) => [barred((cpu?.value ?? 0) / (longest || 1), ...estimate(cpu, milliseconds))] },
    { key: "busy", head: "busy", title: "Share of the observed time in which the main thread was busy", by: ({ busyShare }) => busyShare?.value ?? -1, cell: ({ busyShare }) => estimate(busyShare, (share) => percent(share)) },
    { key: "tasks", head: "long tasks / view", by: ({ longTasks }) => longTasks ?? -1, cell: ({ longTasks }) => [longTasks === null ? "–" : figure(longTasks)] },
  ];
}

/** The profile of a row. */
function narrowed(state: State, by: string[], { labels }: OverviewRow): State {
  const where = by.reduce((where, label) => having(where, label, labels?.[label] ?? ""), state.where);
  return { ...viewOf(state, "profile"), where };
}
