// Values as text, as Node's console prints them.
import { layOut, type Limits } from "./layout";

const usual: Limits = { depth: 2, items: 100, width: 80 };

/** Formats the arguments of a console method: a format string and values, or values separated by spaces. */
export function format(values: unknown[]): string {
  const [first, ...rest] = values;
  if (typeof first !== "string") return values.map(show).join(" ");
  const text = first.replace(/%[sdifjoOc%]/g, (mark) => {
    if (mark === "%%") return values.length > 1 ? "%" : mark;
    return rest.length ? convert(mark, rest.shift()) : mark;
  });
  return [text, ...rest.map(show)].join(" ");
}

function convert(mark: string, value: unknown): string {
  switch (mark) {
    case "%s":
      if (typeof value === "number" || typeof value === "bigint") return inspect(value);
      return typeof value === "object" && value !== null && !hasText(value) ? inspect(value, { depth: 0 }) : String(value);
    case "%d":
      return typeof value === "bigint" ? `${value}n` : number(typeof value === "symbol" ? NaN : Number(value));
    case "%i":
      return typeof value === "bigint" ? `${value}n` : number(typeof value === "symbol" ? NaN : parseInt(String(value), 10));
    case "%f":
      return number(typeof value === "symbol" ? NaN : parseFloat(String(value)));
    case "%j":
      return json(value);
    case "%c":
      return "";
  }
  return inspect(value, mark === "%o" ? { depth: 4 } : {});
}

/** Whether an object's class says what its text is. */
function hasText(value: object): boolean {
  const { toString } = value;
  return typeof toString === "function" && toString !== Object.prototype.toString && toString !== Error.prototype.toString && toString !== Array.prototype.toString && !(value instanceof Date);
}

function json(value: unknown): string {
  try {
    return String(JSON.stringify(value));
  } catch {
    return "[Circular]";
  }
}

const show = (value: unknown) => (typeof value === "string" ? value : inspect(value));
const number = (value: number) => (Object.is(value, -0) ? "-0" : String(value));

/** What is known while a value is shown. */
interface Context {
  /** The objects around, outermost first. */
  above: object[];
  /** Objects that are shown again within themselves, in the order in which that was met. */
  circles: object[];
  limits: Limits;
  /** Of lines but the first, in characters. */
  indent: number;
  /** How deep the object is that was shown last. */
  depth: number;
}

/** Shows a value. Never throws, whatever the getters do. */
export function inspect(value: unknown, limits: Partial<Limits> = {}): string {
  try {
    return one(value, { above: [], circles: [], limits: { ...usual, ...limits }, indent: 0, depth: 0 });
  } catch {
    return "(a value that cannot be shown)";
  }
}

function one(value: unknown, at: Context): string {
  switch (typeof value) {
    case "string":
      return text(value, at);
    case "bigint":
      return `${value}n`;
    case "number":
      return number(value);
    case "function":
    case "object":
      return value === null ? "null" : object(value, at);
  }
  return String(value);
}

/** A string; a long one is shown line by line. */
function text(value: string, { indent, limits }: Context): string {
  if (value.length <= 16 || value.length <= limits.width - 4 - indent) return quote(value);
  return value.split(/(?<=\n)/).map(quote).join(` +\n${" ".repeat(indent + 2)}`);
}

const escapes: Record<string, string> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f", "\v": "\\v" };

function quote(value: string): string {
  const mark = !value.includes("'") ? "'" : !value.includes('"') ? '"' : !value.includes("`") && !value.includes("${") ? "`" : "'";
  // eslint-disable-next-line no-control-regex -- these are the characters that are escaped
  const inner = value.replace(/[\\\x00-\x1f\x7f-\x9f]/g, (c) => escapes[c] ?? `\\x${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);
  return mark + (mark === "'" ? inner.replaceAll("'", "\\'") : inner) + mark;
}

function object(value: object, at: Context): string {
  if (at.above.includes(value)) {
    if (!at.circles.includes(value)) at.circles.push(value);
    return `[Circular *${at.circles.indexOf(value) + 1}]`;
  }
  const shape = shapeOf(value, at);
  const keys = keysOf(value, shape.isList);
  if (!keys.length && !shape.size) return shape.size === 0 ? empty(shape) : shape.title;
  if (at.above.length > at.limits.depth) return `[${nameOf(value) || (Array.isArray(value) ? "Array" : "Object: null prototype")}]`;
  at.above.push(value);
  const depth = (at.depth = at.above.length);
  at.indent += 2;
  const parts = shape.entries?.() ?? [];
  for (const key of keys) parts.push(property(value, key, at));
  at.indent -= 2;
  at.above.pop();
  const circle = at.circles.indexOf(value);
  const title = circle < 0 ? shape.title : `<ref *${circle + 1}>${shape.title && " "}${shape.title}`;
  return layOut(parts, title, shape.isList ? (value as ArrayLike<unknown>) : undefined, { indent: at.indent, depth: at.depth - depth, spare: circle < 0 && shape.size !== undefined ? 0 : 1 }, at.limits);
}

const empty = ({ title, isList }: Shape) => `${title ? `${title} ` : ""}${isList ? "[]" : "{}"}`;

/** The text before an object's brackets, the number of its entries, and a function that shows them. Without a number, the object has brackets only if it has properties. */
interface Shape {
  title: string;
  isList?: boolean;
  size?: number;
  entries?: () => string[];
}

function shapeOf(value: object, at: Context): Shape {
  const name = nameOf(value);
  const most = at.limits.items;
  const items = (list: ArrayLike<unknown>) => {
    const parts: string[] = [];
    let i = 0;
    while (i < list.length && parts.length < most) {
      const first = i;
      while (i < list.length && !(i in list)) i++;
      const holes = i - first;
      parts.push(holes ? `<${holes} empty item${holes > 1 ? "s" : ""}>` : one(list[i++], at));
    }
    return more(parts, list.length - i);
  };
  if (typeof value === "function") return { title: functionTitle(value as FunctionLike) };
  if (Array.isArray(value)) return { title: name === "Array" ? "" : `${name || "[Array: null prototype]"}(${value.length})`, isList: true, size: value.length, entries: () => items(value) };
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
    const list = value as unknown as ArrayLike<unknown>;
    return { title: `${name}(${list.length})`, isList: true, size: list.length, entries: () => items(list) };
  }
  if (value instanceof Map) return { title: `${name}(${value.size})`, size: value.size, entries: () => more(firstOf(value, most).map(([key, held]) => `${one(key, at)} => ${one(held, at)}`), value.size - most) };
  if (value instanceof Set) return { title: `${name}(${value.size})`, size: value.size, entries: () => more(firstOf(value, most).map((held) => one(held, at)), value.size - most) };
  if (value instanceof Error) return { title: error(value, at) };
  if (value instanceof Date) return { title: isNaN(value.getTime()) ? "Invalid Date" : value.toISOString() };
  if (value instanceof RegExp) return { title: String(value) };
  for (const Box of [Number, String, Boolean]) if (value instanceof Box) return { title: `[${name}: ${one(value.valueOf(), at)}]` };
  const tag = (value as { [Symbol.toStringTag]?: unknown })[Symbol.toStringTag];
  const tagged = typeof tag === "string" && tag && tag !== name ? `${name || "Object"} [${tag}]` : "";
  if (value instanceof WeakMap || value instanceof WeakSet) return { title: name, size: 1, entries: () => ["<items unknown>"] };
  return { title: tagged || (name === "Object" ? "" : name || "[Object: null prototype]"), size: 0 };
}

/** As many items as are shown; the others are not looked at. */
function firstOf<T>(values: Iterable<T>, most: number): T[] {
  const first: T[] = [];
  for (const value of values) if (first.push(value) === most) break;
  return first;
}

function more(parts: string[], left: number): string[] {
  if (left > 0) parts.push(`... ${left} more item${left > 1 ? "s" : ""}`);
  return parts;
}

interface FunctionLike {
  name?: unknown;
}

function functionTitle(value: FunctionLike): string {
  const source = Function.prototype.toString.call(value);
  const name = typeof value.name === "string" && value.name;
  if (/^class\b/.test(source)) {
    const parent = Object.getPrototypeOf(value) as FunctionLike;
    return `[class ${name || "(anonymous)"}${typeof parent.name === "string" && parent.name ? ` extends ${parent.name}` : ""}]`;
  }
  const kind = nameOf(value) || "Function";
  return name ? `[${kind}: ${name}]` : `[${kind} (anonymous)]`;
}

/** The name of the class of an object; "" if it has none. */
function nameOf(value: object): string {
  for (let at: object | null = value; at; at = Object.getPrototypeOf(at) as object | null) {
    const made: unknown = Object.getOwnPropertyDescriptor(at, "constructor")?.value;
    const name: unknown = typeof made === "function" && made.name;
    if (typeof name === "string" && name) return name;
  }
  return "";
}

function keysOf(value: object, isList?: boolean): (string | symbol)[] {
  const keys: (string | symbol)[] = Object.keys(value).filter((key) => !(isList && /^(?:0|[1-9]\d*)$/.test(key)) && !(value instanceof String && /^\d+$/.test(key)));
  if (value instanceof Error && Object.getOwnPropertyDescriptor(value, "cause")?.enumerable === false) keys.push("cause");
  return [...keys, ...Object.getOwnPropertySymbols(value).filter((key) => Object.getOwnPropertyDescriptor(value, key)?.enumerable)];
}

function property(value: object, key: string | symbol, at: Context): string {
  const { get, set, value: held, enumerable } = Object.getOwnPropertyDescriptor(value, key)!;
  const shown = typeof key === "symbol" ? `[${String(key)}]` : !enumerable ? `[${key}]` : /^[A-Za-z_][\w]*$/.test(key) ? key : quote(key);
  return `${shown}: ${get ? (set ? "[Getter/Setter]" : "[Getter]") : set ? "[Setter]" : one(held, at)}`;
}

function error(value: Error, { indent, above }: Context): string {
  const { stack } = value;
  const line = String(value);
  if (typeof stack !== "string" || !stack) return `[${line}]`;
  const whole = stack.startsWith(line) ? stack.trimEnd() : `${line}\n${stack.trimEnd().replace(/^/gm, "    at ")}`;
  return above.length ? whole.replaceAll("\n", "\n" + " ".repeat(indent)) : whole;
}
