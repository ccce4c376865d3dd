// The share of one function over time.
import { element } from "../../../profile/report/src/text";
import type { Estimate, Trend, TrendPoint } from "./answers";
import { ask, selection } from "./api";
import { count, estimate, percent, when } from "./figures";
import { hottest } from "./functions";
import { nothing } from "./hints";
import { LineChart } from "./linechart";
import { labelledSelect, part, type Content, type Page } from "./parts";
import { slowOnly } from "./profile";
import { momentOf } from "./range";
import { choosing, viewOf } from "./state";
import { tableOf, type ColumnOf } from "./table";

const steps: [name: string, minutes: number][] = [["1m", 1], ["5m", 5], ["15m", 15], ["30m", 30], ["1h", 60], ["3h", 180], ["6h", 360], ["12h", 720], ["24h", 1440]];

/** How many points a chart has at most, unless the range is very long. */
const most = 60;

function stepOf(page: Page): string {
  const minutes = (momentOf(page.state.to) - momentOf(page.state.from)) / 60e3;
  return (steps.find(([, step]) => step >= minutes / most) ?? steps.at(-1)!)[0];
}

export function trend(page: Page): Content {
  const { state, go } = page;
  const { name, file = "", line = "", measure = "self" } = state.more;
  if (name === undefined) return [element("p", {}, "Choose a function:"), hottest(page)];
  const step = state.more.step || stepOf(page);
  const load = (signal: AbortSignal) => ask<Trend>("trend", selection(state, { name, file, line, step }), signal);
  return [
    element("h3", { class: "subject" }, name || "(anonymous)", " ", element("span", { class: "place" }, file && line ? `${file}:${line}` : file)),
    element(
      "div",
      { class: "tools" },
      labelledSelect("Share", [["self", "of itself"], ["total", "with what it calls"]], measure, (measure) => go(choosing(state, { measure }))),
      labelledSelect("Step", steps.map(([name]) => [name, name]), step, (step) => go(choosing(state, { step }))),
      slowOnly(page),
      page.link(viewOf(state, "functions"), "Other functions"),
    ),
    part(page, "", load, (answer) => show(page, answer, measure === "total" ? "total" : "self")),
  ];
}

function show(page: Page, { points, releases, stepSeconds }: Trend, measure: "self" | "total"): Content {
  const known = (points ?? []).filter((point) => point[measure]);
  if (known.length === 0) return [nothing(page)];
  const value = (point: TrendPoint) => point[measure];
  const chart = new LineChart({
    label: `Share of the busy time: ${said(known.map((point) => value(point)!))}`,
    points: (points ?? []).map((point) => ({ at: Date.parse(point.at), of: value(point) })),
    marks: (releases ?? []).map(({ release, at }) => ({ name: release, at: Date.parse(at) })),
    step: stepSeconds * 1000,
  });
  page.signal.addEventListener("abort", () => chart.end());
  const rows = [...(points ?? [])].reverse();
  return [
    element("p", { class: "soft" }, "Share of the busy time in each step; the band is the 95 % interval."),
    chart.host,
    element("details", { class: "figures" }, element("summary", {}, "The figures as a table"), tableOf(page, { label: "Share over time", columns, rows })),
  ];
}

const said = (values: Estimate[]) => `from ${percent(Math.min(...values.map(({ value }) => value)))} to ${percent(Math.max(...values.map(({ value }) => value)))}, last ${percent(values.at(-1)!.value)}. The table below has the figures.`;

const share = (value: number) => percent(value, 2);

const columns: ColumnOf<TrendPoint>[] = [
  { key: "at", head: "from", isText: true, by: ({ at }) => at, cell: ({ at }) => [when(at)] },
  { key: "self", head: "self", by: ({ self }) => self?.value ?? -1, cell: ({ self }) => estimate(self, share) },
  { key: "total", head: "total", by: ({ total }) => total?.value ?? -1, cell: ({ total }) => estimate(total, share) },
  { key: "ticks", head: "busy ticks", by: ({ ticks }) => ticks, cell: ({ ticks }) => [count(ticks)] },
];
