// Where the parts of a value are put: in one line, in several, or in columns, as Node's console does it.

/** How much of a value is shown. */
export interface Limits {
  /** How deep objects are. */
  depth: number;
  /** How many items of a collection. */
  items: number;
  /** How wide lines are, as far as they can be broken. */
  width: number;
}

/** How many columns there are at most, and how many levels of objects a line may hold. */
const mostColumns = 15;
const levels = 3;
/** Lists of up to so many items have no columns. */
const fewItems = 6;

/** Where a value is shown. */
export interface Place {
  /** Of its lines but the first, in characters. */
  indent: number;
  /** How many levels of objects are in its last part. */
  depth: number;
  /** By how many characters a line may be longer: Node counts some titles without the blank after them. */
  spare: number;
}

/** Puts parts between brackets, after a title. Those of a list may be in columns. */
export function layOut(parts: string[], title: string, list: ArrayLike<unknown> | undefined, { indent, depth, spare }: Place, limits: Limits): string {
  const [open, close] = list ? "[]" : "{}";
  const before = title ? `${title} ${open}` : open;
  const rows = list && parts.length > fewItems ? columns(parts, indent, list, limits) : parts;
  if (depth < levels && rows.length === parts.length) {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    const line = parts.join(", ");
    if (length + 2 * parts.length + indent + before.length + 10 <= limits.width + spare && !line.includes("\n") && !title.includes("\n")) return `${before} ${line} ${close}`;
  }
  const end = "\n" + " ".repeat(indent);
  return `${before}${end}  ${rows.join(`,${end}  `)}${end}${close}`;
}

/** Puts items into columns, if they are short enough and alike. */
function columns(parts: string[], indent: number, items: ArrayLike<unknown>, { items: most, width }: Limits): string[] {
  const isCut = parts.length > most; // the last part says how many more there are
  const cells = isCut ? parts.slice(0, -1) : parts;
  const total = cells.reduce((sum, cell) => sum + cell.length + 2, 0);
  const longest = Math.max(...cells.map((cell) => cell.length));
  const widest = longest + 2;
  if (widest * 3 + indent >= width || (total / widest <= 5 && longest > 6)) return parts;
  const usual = Math.max(widest - 3 - Math.sqrt(widest - total / parts.length), 1);
  const count = Math.min(Math.round(Math.sqrt(2.5 * usual * cells.length) / usual), Math.floor((width - indent) / widest), levels * 4, mostColumns);
  if (count <= 1) return parts;
  const widths = Array.from({ length: count }, (_, column) => Math.max(0, ...cells.filter((_cell, i) => i % count === column).map((cell) => cell.length)) + 2);
  const areNumbers = parts.every((_, i) => typeof items[i] === "number" || typeof items[i] === "bigint");
  const rows: string[] = [];
  for (let i = 0; i < cells.length; i += count) {
    const row = cells.slice(i, i + count);
    const last = row.length - 1;
    rows.push(row.map((cell, column) => {
      if (column === last) return areNumbers ? cell.padStart(widths[column] - 2) : cell;
      return areNumbers ? `${cell}, `.padStart(widths[column]) : `${cell}, `.padEnd(widths[column]);
    }).join(""));
  }
  if (isCut) rows.push(parts[parts.length - 1]);
  return rows;
}
