// The hottest functions of a selection.
import { printable } from "../../../profile/report/src/printable";
import { element } from "../../../profile/report/src/text";
import type { FunctionRow, Functions } from "./answers";
import { ask, selection } from "./api";
import { barred, count, milliseconds, named, nameOf, percent, placeOf } from "./figures";
import { missingMaps, nothing } from "./hints";
import { notesOf, part, type Content, type Page } from "./parts";
import { frameworks, options, slowOnly, tools, trendOf } from "./profile";
import { viewOf } from "./state";
import { tableOf, type ColumnOf } from "./table";

/** How many functions are asked for. */
const most = 200;

export function functions(page: Page): Content {
  const { ignored } = options(page);
  const load = (signal: AbortSignal) => ask<Functions>("functions", selection(page.state, { limit: most, ignored }), signal);
  return [tools(slowOnly(page), frameworks(page)), missingMaps(page), part(page, "", load, (answer) => show(page, answer))];
}

function show(page: Page, { functions, busyMs, ticks, notes }: Functions): Content {
  if (!functions?.length) return [nothing(page)];
  return [
    element("p", { class: "soft" }, `Estimated: ${milliseconds(busyMs)} of busy time in all sessions, from ${count(ticks)} ticks. Shares are of this time. A name opens the function's trend.`),
    ...notesOf(notes),
    tableOf(page, { label: "Functions", columns: columnsOf(page, functions), rows: functions }),
  ];
}

function columnsOf(page: Page, rows: FunctionRow[]): ColumnOf<FunctionRow>[] {
  const widest = Math.max(...rows.map(({ selfShare }) => selfShare));
  const longest = Math.max(...rows.map(({ totalShare }) => totalShare));
  return [
    { key: "name", head: "function", isText: true, by: nameOf, cell: (row) => named(row, page.link(trendOf(page, row), nameOf(row))) },
    { key: "self", head: "self", title: "Time in the function itself", by: ({ selfShare }) => selfShare, cell: ({ selfShare, selfMs }) => [barred(selfShare / widest, percent(selfShare), element("span", { class: "interval" }, milliseconds(selfMs)))] },
    { key: "total", head: "total", title: "Time in the function and in what it calls", by: ({ totalShare }) => totalShare, cell: ({ totalShare, totalMs }) => [barred(totalShare / longest, percent(totalShare), element("span", { class: "interval" }, milliseconds(totalMs)))] },
    { key: "place", head: "kind", isText: true, by: ({ ignored }) => (ignored ? "framework" : ""), cell: (row) => [row.ignored ? "framework" : ""] },
  ];
}

/** The first few, for the overview. */
export function hottest(page: Page): HTMLElement {
  const load = (signal: AbortSignal) => ask<Functions>("functions", selection(page.state, { limit: 8 }), signal);
  return part(page, "Hottest functions", load, ({ functions }) => {
    if (!functions?.length) return [element("p", { class: "soft" }, "No function was sampled.")];
    const widest = Math.max(...functions.map(({ selfShare }) => selfShare));
    const lines = functions.map((row) => {
      const link = page.link(trendOf(page, row), nameOf(row));
      link.title = printable(placeOf(row));
      return element("li", {}, barred(row.selfShare / widest, link, element("span", { class: "value" }, percent(row.selfShare))));
    });
    return [element("ol", { class: "ranking" }, ...lines), element("p", {}, page.link(viewOf(page.state, "functions"), "All functions"))];
  });
}
