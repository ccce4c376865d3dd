// The budgets of the app, as they were last checked.
import { element } from "../../../profile/report/src/text";
import type { BudgetRow } from "./answers";
import { ask, ofApp } from "./api";
import { barred, figure, when } from "./figures";
import { docsLink } from "./hints";
import { part, type Content, type Page } from "./parts";
import { tableOf, type ColumnOf } from "./table";

export function budgets(page: Page): Content {
  const load = (signal: AbortSignal) => ask<{ budgets: BudgetRow[] | null }>("budgets", ofApp(page.state), signal);
  return [part(page, "", load, ({ budgets }) => (budgets?.length ? show(page, budgets) : [none()]))];
}

function show(page: Page, rows: BudgetRow[]): Content {
  const broken = rows.filter(({ broken }) => broken).length;
  return [element("p", { class: "sentence" }, broken > 0 ? `${broken} of ${rows.length} budgets broken.` : `All ${rows.length} budgets kept.`), tableOf(page, { label: "Budgets", columns, rows, isMarked: ({ broken }) => broken })];
}

const none = () => element("div", { class: "hint" }, element("p", {}, "This app has no budgets, or they have not been checked yet. Name a file of budgets in the collector's configuration to hold releases to them and to be told when they break: ", docsLink("collect", "how"), "."));

const columns: ColumnOf<BudgetRow>[] = [
  { key: "state", head: "state", isText: true, by: ({ broken }) => (broken ? "broken" : "kept"), cell: ({ broken }) => [element("span", { class: `rating ${broken ? "poor" : "good"}` }, broken ? "■ broken" : "● kept")] },
  { key: "name", head: "budget", isText: true, by: ({ name }) => name, cell: ({ name, measure }) => [element("span", { class: "name" }, name), element("span", { class: "place" }, measure)] },
  { key: "value", head: "is", by: ({ value, max }) => value / (max || 1), cell: ({ value, margin, unit, max }) => [barred(value / (max || 1), `${figure(value)} ${unit}`, element("span", { class: "interval", title: "95 % margin" }, margin > 0 ? `± ${figure(margin)}` : ""))] },
  { key: "max", head: "may be", by: ({ max }) => max, cell: ({ max, unit }) => [`${figure(max)} ${unit}`] },
  { key: "since", head: "since", isText: true, by: ({ since }) => since ?? "", cell: ({ since }) => [since ? when(since) : ""] },
  { key: "checked", head: "checked", isText: true, by: ({ checked }) => checked, cell: ({ checked }) => [when(checked)] },
];
