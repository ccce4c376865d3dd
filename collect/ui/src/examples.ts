// Single recordings that the collector has kept whole, with their order of time.
import { element } from "../../../profile/report/src/text";
import type { ExampleRow } from "./answers";
import { ask, ofApp, selection } from "./api";
import { bench } from "./bench";
import { exportsOf } from "./exports";
import { labelsOf, milliseconds, when } from "./figures";
import { missingMaps, nothing } from "./hints";
import { part, type Content, type Page } from "./parts";
import { viewOf } from "./state";
import { tableOf, type ColumnOf } from "./table";

export function examples(page: Page): Content {
  const load = (signal: AbortSignal) => ask<{ examples: ExampleRow[] | null }>("examples", selection(page.state, { limit: 200 }), signal);
  return [
    element("p", { class: "soft" }, "Recordings of single sessions, each with its order of time. A few are kept for each route and hour."),
    part(page, "", load, ({ examples }) => (examples?.length ? [tableOf(page, { label: "Examples", columns: columnsOf(page), rows: examples })] : [nothing(page)])),
  ];
}

function columnsOf(page: Page): ColumnOf<ExampleRow>[] {
  const label = (name: string): ColumnOf<ExampleRow> => ({ key: name, head: name, isText: true, by: ({ labels }) => labels?.[name] ?? "", cell: ({ labels }) => [labels?.[name] ?? ""] });
  return [
    { key: "at", head: "when", isText: true, by: ({ at }) => at, cell: ({ id, at }) => [page.link(viewOf(page.state, "example", { example: id }), when(at))] },
    { key: "busy", head: "busy", by: ({ busyMs }) => busyMs, cell: ({ busyMs }) => [milliseconds(busyMs)] },
    ...["route", "release", "browser", "device"].map(label),
  ];
}

export function example(page: Page): Content {
  const id = page.state.more.example ?? "";
  const path = `examples/${encodeURIComponent(id)}/profile`;
  const words = () => ofApp(page.state);
  // The list says what is known of it; it may be too old to be in there.
  const load = async (signal: AbortSignal) => (await ask<{ examples: ExampleRow[] | null }>("examples", selection(page.state, { limit: 200 }), signal)).examples?.find((row) => row.id === id);
  return [
    element("p", {}, page.link(viewOf(page.state, "examples"), "All examples")),
    part(page, "", load, (row) => (row ? [element("p", { class: "soft" }, when(row.at), ...labelsOf(row.labels).map(([name, value]) => ` · ${name} ${value}`))] : [])),
    element("div", { class: "tools" }, exportsOf(path, words())),
    missingMaps(page),
    bench(page, { path, words: words(), isSteady: true, empty: () => [element("p", { class: "soft" }, "Nothing was sampled in this session.")] }),
  ];
}
