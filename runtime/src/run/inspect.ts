// Values as text, roughly as Node's console prints them.

/** How deep objects are shown, how many items of a collection, and how wide lines are. */
const deepest = 2;
const most = 100;
const width = 72;

/** Formats the arguments of a console method: a format string and values, or values separated by spaces. */
export function format(values: unknown[]): string {
  const [first, ...rest] = values;
  if (typeof first !== "string") return values.map(show).join(" ");
  const text = first.replace(/%[sdifjoOc%]/g, (mark) => {
    if (mark === "%%") return rest.length || values.length > 1 ? "%" : mark;
    return rest.length ? convert(mark, rest.shift()) : mark;
  });
  return [text, ...rest.map(show)].join(" ");
}

function convert(mark: string, value: unknown): string {
  switch (mark) {
    case "%s":
      return typeof value === "string" ? value : typeof value === "object" ? inspect(value) : show(value);
    case "%d":
      return typeof value === "bigint" ? `${value}n` : String(typeof value === "object" ? NaN : Number(value));
    case "%i":
      return typeof value === "bigint" ? `${value}n` : String(parseInt(String(value), 10));
    case "%f":
      return String(parseFloat(String(value)));
    case "%j":
      return json(value);
    case "%c":
      return "";
  }
  return inspect(value);
}

function json(value: unknown): string {
  try {
    return String(JSON.stringify(value));
  } catch {
    return "[Circular]";
  }
}

const show = (value: unknown) => (typeof value === "string" ? value : inspect(value));

/** Shows a value. Never throws, whatever the getters do. */
export function inspect(value: unknown): string {
  try {
    return one(value, 0, []);
  } catch {
    return "(a value that cannot be shown)";
  }
}

function one(value: unknown, depth: number, above: unknown[]): string {
  switch (typeof value) {
    case "string":
      return quote(value);
    case "bigint":
      return `${value}n`;
    case "function":
      return functionName(value);
    case "object":
      return value === null ? "null" : object(value, depth, above);
  }
  return Object.is(value, -0) ? "-0" : String(value);
}

function quote(text: string): string {
  const mark = !text.includes("'") ? "'" : !text.includes('"') ? '"' : !text.includes("`") ? "`" : "'";
  const inner = text.replace(/[\\\n\r\t]/g, (c) => ({ "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" })[c]!);
  return mark + (mark === "'" ? inner.replaceAll("'", "\\'") : inner) + mark;
}

function functionName(value: { name?: unknown }): string {
  const kind = /^class\b/.test(Function.prototype.toString.call(value)) ? "class" : "Function";
  if (kind === "class") return `[class ${value.name || "(anonymous)"}]`;
  return value.name ? `[Function: ${value.name}]` : "[Function (anonymous)]";
}

function object(value: object, depth: number, above: unknown[]): string {
  if (value instanceof Error) return error(value);
  if (value instanceof Date) return isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
  if (value instanceof RegExp) return String(value);
  if (above.includes(value)) return "[Circular]";
  const list = Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
  const name = value.constructor?.name;
  const title = Object.getPrototypeOf(value) === null ? "[Object: null prototype]" : (name ?? "");
  if (depth > deepest) return `[${list && Array.isArray(value) ? "Array" : title || "Object"}]`;
  const inner = (v: unknown) => one(v, depth + 1, [...above, value]);
  const parts: string[] = [];
  let prefix = title === "Object" || title === "Array" ? "" : title;
  if (list) {
    const values = value as unknown as unknown[];
    for (let i = 0; i < values.length && i < most; i++) parts.push(i in values ? inner(values[i]) : "<empty>");
    if (values.length > most) parts.push(`... ${values.length - most} more items`);
    if (prefix) prefix += `(${values.length})`;
  } else if (value instanceof Map) {
    for (const [key, held] of value) parts.push(`${inner(key)} => ${inner(held)}`);
    prefix += `(${value.size})`;
  } else if (value instanceof Set) {
    for (const held of value) parts.push(inner(held));
    prefix += `(${value.size})`;
  }
  for (const key of Object.keys(value)) {
    if (list && /^\d+$/.test(key)) continue;
    const shown = /^[A-Za-z_$][\w$]*$/.test(key) ? key : quote(key);
    const property = Object.getOwnPropertyDescriptor(value, key);
    parts.push(`${shown}: ${property?.get ? "[Getter]" : inner(property?.value)}`);
  }
  return enclose(prefix, list ? "[]" : "{}", parts);
}

function error(value: Error): string {
  const { stack } = value;
  const line = String(value);
  if (!stack) return `[${line}]`;
  return stack.startsWith(line) ? stack : `${line}\n${stack.trimEnd().replace(/^/gm, "    at ")}`;
}

function enclose(prefix: string, brackets: string, parts: string[]): string {
  const [open, close] = brackets;
  const before = prefix ? prefix + " " : "";
  if (!parts.length) return before + brackets;
  const line = `${before}${open} ${parts.join(", ")} ${close}`;
  if (line.length <= width && !line.includes("\n")) return line;
  return `${before}${open}\n${parts.map((part) => "  " + part.replaceAll("\n", "\n  ")).join(",\n")}\n${close}`;
}
