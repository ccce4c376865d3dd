// A table that is sorted by its heads. Its order is in the address.
import { element } from "../../../profile/report/src/text";
import { button, type Content, type Page } from "./parts";

export interface ColumnOf<Row> {
  /** In addresses. */
  key: string;
  head: string;
  title?: string;
  /** Rows are sorted by it: numbers from the greatest down, texts from A on. */
  by(row: Row): number | string;
  cell(row: Row): Content;
  isText?: boolean;
}

export interface TableOptions<Row> {
  label: string;
  columns: ColumnOf<Row>[];
  rows: Row[];
  /** The parameter in addresses that has the order; one for each table of a view. */
  order?: string;
  /** Marks a row. */
  isMarked?(row: Row): boolean;
}

/** How many rows are shown at first. */
const most = 100;

export function tableOf<Row>(page: Page, { label, columns, rows, order = "sort", isMarked }: TableOptions<Row>): HTMLElement {
  let chosen = page.state.more[order] ?? "";
  let shown = most;
  const body = element("tbody");
  const heads = columns.map(({ key, head, title }) => {
    const sort = button(head, () => {
      chosen = chosen === key ? `-${key}` : key;
      page.note({ [order]: chosen });
      fill();
    });
    if (title) sort.title = title;
    return element("th", { scope: "col" }, sort);
  });
  const more = button("", () => {
    shown = Infinity;
    fill();
  });
  const fill = () => {
    columns.forEach((column, i) => {
      heads[i].setAttribute("aria-sort", direction(column, chosen));
      heads[i].className = column.isText ? "text" : "";
    });
    const sorted = sort(rows, columns, chosen).slice(0, shown);
    body.replaceChildren(
      ...sorted.map((row) => {
        const line = element("tr", {}, ...columns.map((column) => element("td", { class: column.isText ? "text" : "" }, ...column.cell(row))));
        if (isMarked?.(row)) line.setAttribute("aria-current", "true");
        return line;
      }),
    );
    more.hidden = rows.length <= shown;
    more.textContent = `Show all ${rows.length} rows`;
  };
  fill();
  const table = element("table", { "aria-label": label }, element("thead", {}, element("tr", {}, ...heads)), body);
  return element("div", {}, element("div", { class: "list", role: "region", "aria-label": label, tabindex: 0 }, table), more);
}

const isDown = (column: ColumnOf<never>, chosen: string) => (chosen === column.key) !== Boolean(column.isText);

function direction<Row>(column: ColumnOf<Row>, chosen: string): string {
  if (chosen !== column.key && chosen !== `-${column.key}`) return "none";
  return isDown(column as ColumnOf<never>, chosen) ? "descending" : "ascending";
}

/** Without a choice rows keep the order in which they came. */
function sort<Row>(rows: Row[], columns: ColumnOf<Row>[], chosen: string): Row[] {
  const column = columns.find(({ key }) => chosen === key || chosen === `-${key}`);
  if (!column) return rows;
  const by = isDown(column as ColumnOf<never>, chosen) ? -1 : 1;
  return [...rows].sort((a, b) => by * compare(column.by(a), column.by(b)));
}

const compare = (a: number | string, b: number | string) => (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true }));
