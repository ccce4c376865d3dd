// Two selections compared: two releases, or any two values of a label.
import { element } from "../../../profile/report/src/text";
import type { ChangeRow, Diff, LabelValues, Shift, UploadedFile } from "./answers";
import { ask, ofApp, selection } from "./api";
import { bench } from "./bench";
import { exportsOf } from "./exports";
import { count, named, nameOf } from "./figures";
import { missingMaps, nothing } from "./hints";
import { button, labelledSelect, part, type Content, type Page } from "./parts";
import { frameworks, options, slowOnly, trendOf } from "./profile";
import { choosing, without } from "./state";
import { tableOf, type ColumnOf } from "./table";

interface Sides {
  label: string;
  before: string;
  after: string;
}

export function compare(page: Page): Content {
  // Which values there are must be known before anything can be compared.
  const load = (signal: AbortSignal) => Promise.all([page.labels, ask<{ files: UploadedFile[] | null }>("files", ofApp(page.state), signal)]);
  return [part(page, "", load, ([labels, { files }]) => show(page, labels, files ?? []))];
}

function show(page: Page, labels: LabelValues[], files: UploadedFile[]): Content {
  const usable = labels.filter(({ values }) => (values?.length ?? 0) > 1);
  const sides = sidesOf(page, usable, files);
  if (!sides) return labels.length === 0 ? [nothing(page)] : [element("div", { class: "hint" }, element("p", {}, "There is nothing to compare: every label has one value in this range. Choose a longer one, or wait for the next release."))];
  const { label, before, after } = sides;
  const words = () => selection({ ...page.state, where: without(page.state.where, label) }, { before: `${label}:${before}`, after: `${label}:${after}`, ignored: options(page).ignored });
  const load = (signal: AbortSignal) => ask<Diff>("diff", words(), signal);
  return [
    chooser(page, usable, sides, exportsOf("diff", words(), true)),
    missingMaps(page),
    part(page, "What has changed", load, (diff) => changes(page, diff)),
    element("h3", {}, "Both profiles"),
    bench(page, { path: "diff", words: words(), empty: () => [element("p", { class: "soft" }, "Nothing was sampled after the change.")] }),
  ];
}

/** Newer releases first: their files have been uploaded later, or their versions have greater numbers. Names may be hashes. */
function latest(releases: string[], files: UploadedFile[]): string[] {
  const uploaded = new Map<string, number>();
  for (const { release, uploaded: at } of files) uploaded.set(release, Math.min(uploaded.get(release) ?? Infinity, Date.parse(at)));
  const at = (release: string) => uploaded.get(release) ?? -Infinity;
  const areUploaded = releases.every((release) => !release || release === "(other)" || uploaded.has(release));
  return [...releases].sort((a, b) => (areUploaded && at(b) - at(a)) || b.localeCompare(a, "en", { numeric: true }));
}

/** The sides of the address, or else the two latest releases, or the two most frequent values of another label. */
function sidesOf({ state: { more } }: Page, labels: LabelValues[], files: UploadedFile[]): Sides | null {
  const chosen = labels.find(({ name }) => name === (more.label || "release")) ?? (more.label ? undefined : labels[0]);
  if (!chosen) return more.label && more.before && more.after ? { label: more.label, before: more.before, after: more.after } : null;
  const values = chosen.values!.map(({ value }) => value);
  const order = chosen.name === "release" ? latest(values, files) : values;
  const after = more.after || order.find((value) => value !== more.before)!;
  return { label: chosen.name, after, before: more.before || order.find((value) => value !== after)! };
}

function chooser(page: Page, labels: LabelValues[], { label, before, after }: Sides, exports: HTMLElement): HTMLElement {
  const { state, go } = page;
  const values = (labels.find(({ name }) => name === label)?.values ?? []).map(({ value, chunks }): [string, string] => [value, `${value || "(unknown)"} · ${count(chunks)}`]);
  return element(
    "div",
    { class: "tools", role: "group", "aria-label": "Compared" },
    labelledSelect("Compare", labels.map(({ name }) => [name, name]), label, (label) => go(choosing(state, { label, before: "", after: "" }))),
    labelledSelect("before", values, before, (before) => go(choosing(state, { label, before, after }))),
    labelledSelect("after", values, after, (after) => go(choosing(state, { label, before, after }))),
    button("Swap", () => go(choosing(state, { label, before: after, after: before }))),
    slowOnly(page),
    frameworks(page),
    exports,
  );
}

function changes(page: Page, { before, after, blocks, summary, diff }: Diff): Content {
  const rows = diff.functions ?? [];
  if (rows.length === 0) return [element("p", {}, summary), nothing(page)];
  return [
    element("p", { class: "sentence" }, `${before} → ${after}: ${summary}`),
    element("p", { class: "soft" }, `Shares are of the busy time. A change in colour is more than chance explains${Math.min(...blocks) > 1 ? `, judged by how much ${blocks[0]} stretches of time before and ${blocks[1]} after differ among themselves` : ""}.`),
    tableOf(page, { label: "What has changed", columns: columnsOf(page), rows, isMarked: ({ self, total }) => self.significant || total.significant }),
  ];
}

function columnsOf(page: Page): ColumnOf<ChangeRow>[] {
  const shift = (key: "self" | "total"): ColumnOf<ChangeRow>[] => [
    { key, head: `${key}, before → after`, by: (row) => row[key].after, cell: (row) => [`${row[key].before.toFixed(1)} → ${row[key].after.toFixed(1)} %`] },
    { key: `${key}-change`, head: "change", title: "In points, with the 95 % margin", by: (row) => row[key].change ?? -Infinity, cell: (row) => [changed(row[key])] },
  ];
  return [
    { key: "name", head: "function", isText: true, by: nameOf, cell: (row) => [...named(row, page.link(trendOf(page, row), nameOf(row))), ...(row.status ? [element("span", { class: "status" }, row.status)] : [])] },
    ...shift("self"),
    ...shift("total"),
  ];
}

/** A change in colour, and in words, only if it is beyond chance. */
function changed({ change, margin, significant, p }: Shift): Node | string {
  if (change === null) return "–";
  const sign = change > 0 ? "+" : change < 0 ? "−" : "±";
  const text = `${sign}${Math.abs(change).toFixed(1)} ± ${margin.toFixed(1)}`;
  if (!significant) return element("span", { class: "soft", title: "not beyond chance" }, text);
  const isWorse = change > 0;
  return element("b", { class: isWorse ? "worse" : "better", title: `significant, p ${p < 0.001 ? "< 0.001" : `= ${p.toFixed(3)}`}` }, `${isWorse ? "▲" : "▼"} ${text}`);
}
