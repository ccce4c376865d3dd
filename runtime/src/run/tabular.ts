// Values as a table, as Node's console prints them.
import { inspect } from "./inspect";

type Row = Record<string, unknown>;

/** A column: its head, and the cells of the rows that have one. */
type Column = [head: string, cells: string[]];

/** The table of a collection's entries, or of an object's properties: of those named, if some are. */
export function table(value: object, properties?: readonly string[]): string {
  if (value instanceof Map || value instanceof Set) {
    const entries = [...value.entries()];
    const columns: Column[] = [["(iteration index)", entries.map((_, i) => String(i))]];
    if (value instanceof Map) columns.push(["Key", entries.map(([key]) => cell(key))]);
    return draw([...columns, ["Values", entries.map(([, held]) => cell(held))]]);
  }
  const keys = Object.keys(value);
  const byHead = Object.create(null) as Record<string, string[]>;
  const values: string[] = [];
  keys.forEach((key, i) => {
    const row = (value as Row)[key];
    const isObject = row !== null && (typeof row === "object" || typeof row === "function");
    if (!isObject && !properties) values[i] = cell(row);
    else for (const head of properties ?? Object.keys(row as Row)) (byHead[head] ??= [])[i] = isObject && Object.prototype.hasOwnProperty.call(row, head) ? cell((row as Row)[head]) : "";
  });
  const columns: Column[] = [["(index)", keys], ...Object.entries(byHead)];
  if (values.length) columns.push(["Values", values]);
  return draw(columns);
}

/** An object of more than two properties is only named. */
function cell(value: unknown): string {
  const isLarge = typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 2;
  return inspect(value, { depth: isLarge ? -1 : 0, items: 3, width: Infinity });
}

function draw(columns: readonly Column[]): string {
  const height = Math.max(...columns.map(([, cells]) => cells.length));
  const rows = Array.from({ length: height }, (_, i) => columns.map(([, cells]) => cells[i] ?? ""));
  const widths = columns.map(([head], column) => rows.reduce((most, row) => Math.max(most, widthOf(row[column])), widthOf(head)));
  const rule = (left: string, between: string, right: string) => left + widths.map((width) => "─".repeat(width + 2)).join(between) + right;
  const line = (cells: readonly string[]) => `│ ${cells.map((text, i) => text + " ".repeat(widths[i] - widthOf(text))).join(" │ ")} │`;
  return [rule("┌", "┬", "┐"), line(columns.map(([head]) => head)), rule("├", "┼", "┤"), ...rows.map(line), rule("└", "┴", "┘")].join("\n");
}

/** Characters that are as wide as two: those of East Asia, and pictures. */
const wide = /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4c6\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6]|[\ud83c-\ud83e][\udc00-\udfff]|[\ud840-\ud87f][\udc00-\udfff]/g;

/** How many columns of a terminal a text takes. */
const widthOf = (text: string) => text.replace(wide, "..").length;
