// A console that writes to the host's streams, with Node's choice of stream.
import { now } from "../core/real";
import { format, inspect } from "./inspect";
import type { Stream } from "./talk";

type Print = (stream: Stream, line: string) => void;

/** Replaces the page's console. */
export function installConsole(print: Print) {
  let indent = "";
  const counts = new Map<string, number>();
  const timers = new Map<string, number>();
  const on = (stream: Stream) => (...values: unknown[]) => print(stream, indent + format(values).replaceAll("\n", "\n" + indent));
  const out = on(1);
  const err = on(2);
  const time = (label: string, ...rest: unknown[]) => {
    const started = timers.get(label);
    if (started !== undefined) out(`${label}: ${(now() - started).toFixed(3)}ms`, ...rest);
  };
  const enter = (...values: unknown[]) => {
    if (values.length) out(...values);
    indent += "  ";
  };
  Object.assign(console, {
    log: out,
    info: out,
    debug: out,
    warn: err,
    error: err,
    dir: (value: unknown) => out(inspect(value)),
    dirxml: out,
    table: (value: unknown) => out(inspect(value)),
    trace: (...values: unknown[]) => err("Trace:", ...values),
    assert(holds: unknown, ...values: unknown[]) {
      if (!holds) err(...(values.length ? ["Assertion failed:", ...values] : ["Assertion failed"]));
    },
    clear() {},
    group: enter,
    groupCollapsed: enter,
    groupEnd() {
      indent = indent.slice(2);
    },
    count(label = "default") {
      const count = (counts.get(label) ?? 0) + 1;
      counts.set(label, count);
      out(`${label}: ${count}`);
    },
    countReset: (label = "default") => void counts.delete(label),
    time: (label = "default") => void timers.set(label, now()),
    timeLog: (label = "default", ...rest: unknown[]) => time(label, ...rest),
    timeEnd(label = "default") {
      time(label);
      timers.delete(label);
    },
  });
}
