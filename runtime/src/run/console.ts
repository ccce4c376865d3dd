// A console that writes to the host's streams, with Node's choice of stream, for pages and for goja.
import { format, inspect } from "./inspect";
import { table } from "./tabular";
import type { Stream } from "./talk";

type Print = (stream: Stream, line: string) => void;

/** The methods of a console; now is a clock in milliseconds. */
export function methods(print: Print, now: () => number) {
  let indent = "";
  const counts = new Map<string, number>();
  const timers = new Map<string, number>();
  const write = (stream: Stream, text: string) => print(stream, indent + text.replaceAll("\n", "\n" + indent));
  const on = (stream: Stream) => (...values: unknown[]) => write(stream, format(values));
  const out = on(1);
  const err = on(2);
  const tell = (method: string, label: string, ...values: unknown[]) => {
    const started = timers.get(label);
    if (started === undefined) err(`Warning: No such label '${label}' for console.${method}()`);
    else out("%s: %s", label, duration(now() - started), ...values);
  };
  const enter = (...values: unknown[]) => {
    if (values.length) out(...values);
    indent += "  ";
  };
  const nothing = () => {};
  return {
    log: out,
    info: out,
    debug: out,
    warn: err,
    error: err,
    dir: (value: unknown, options?: { depth?: number | null }) => write(1, inspect(value, options?.depth === undefined ? {} : { depth: options.depth ?? Infinity })),
    dirxml: out,
    table(value: unknown, properties?: readonly string[]) {
      if (properties !== undefined && !Array.isArray(properties)) throw new TypeError('The "properties" argument must be an instance of Array');
      if (typeof value === "object" && value !== null) write(1, table(value, properties));
      else out(value);
    },
    trace(...values: unknown[]) {
      const text = format(values);
      write(2, text ? `Trace: ${text}` : "Trace");
    },
    assert(holds: unknown, ...values: unknown[]) {
      if (holds) return;
      const [first, ...rest] = values;
      err(values.length ? `Assertion failed: ${first as string}` : "Assertion failed", ...rest);
    },
    clear: nothing,
    profile: nothing, // for an inspector, in Node
    profileEnd: nothing,
    timeStamp: nothing,
    group: enter,
    groupCollapsed: enter,
    groupEnd() {
      indent = indent.slice(2);
    },
    count(label: unknown = "default") {
      const name = `${label as string}`;
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      out(`${name}: ${count}`);
    },
    countReset(label: unknown = "default") {
      const name = `${label as string}`;
      if (!counts.delete(name)) err(`Warning: Count for '${name}' does not exist`);
    },
    time(label: unknown = "default") {
      const name = `${label as string}`;
      if (timers.has(name)) err(`Warning: Label '${name}' already exists for console.time()`);
      else timers.set(name, now());
    },
    timeLog: (label: unknown = "default", ...values: unknown[]) => tell("timeLog", `${label as string}`, ...values),
    timeEnd(label: unknown = "default") {
      const name = `${label as string}`;
      tell("timeEnd", name);
      timers.delete(name);
    },
  };
}

/** A time as Node writes it: 1.5ms, 2.345s, 1:02.000 (m:ss.mmm), 1:00:00.000 (h:mm:ss.mmm). */
function duration(ms: number): string {
  if (ms < 1e3) return `${Number(ms.toFixed(3))}ms`;
  if (ms < 60e3) return `${(ms / 1e3).toFixed(3)}s`;
  const two = (n: number) => String(n).padStart(2, "0");
  const hours = Math.floor(ms / 3600e3);
  const minutes = Math.floor((ms % 3600e3) / 60e3);
  const seconds = ((ms % 60e3) / 1e3).toFixed(3).padStart(6, "0");
  return hours ? `${hours}:${two(minutes)}:${seconds} (h:mm:ss.mmm)` : `${minutes}:${seconds} (m:ss.mmm)`;
}
