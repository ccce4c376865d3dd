// The settings that the environment gives the preload. A wrong value never stops the service: a
// line says what is wrong, and what is done instead.
import type { Settings as Recording } from "../recording/sessions";

/** When profiles are made: one when the process ends, one after the other, or between signals. */
export type Mode = "exit" | "continuous" | "signal";

/** The kind of server that profiles are sent to. */
export type Receiver = "collector" | "pyroscope" | "otlp";

/** Where profiles are sent. */
export interface PushTo {
  readonly to: Receiver;
  readonly url: string;
  readonly headers: Record<string, string>;
}

export interface Settings {
  readonly mode: Mode;
  /** Milliseconds between ticks. */
  readonly interval: number;
  readonly clock: Recording["clock"];
  /** Milliseconds of a profile in mode continuous. */
  readonly every: number;
  /** How many files of the app remain in mode continuous and signal. */
  readonly keep: number;
  /** As FIELDPROF_OUTPUT has it; undefined if nothing is written. */
  readonly output: string | undefined;
  readonly push: PushTo | undefined;
  readonly service: string | undefined;
  readonly release: string | undefined;
  /** How many values a label may have in a profile. */
  readonly labelValues: number;
  readonly workers: boolean;
  /** The most of the busy time that recording may take, in percent. */
  readonly maxOverhead: number | undefined;
}

/** The most that a recording in mode continuous may take, in percent. */
const budget = 10;

type Environment = Record<string, string | undefined>;

/** Reads the settings; say is called with each thing that is wrong. */
export function settingsOf(env: Environment, say: (text: string) => void): Settings {
  const number = (name: string, least: number, otherwise: number, what: string, fits = Number.isFinite) => {
    const text = env[name];
    const value = text?.trim() ? Number(text) : otherwise;
    if (value >= least && fits(value)) return value;
    say(`${name}=${text} is not ${what} of at least ${least}: using ${otherwise}`);
    return otherwise;
  };
  const choice = <T extends string>(name: string, choices: readonly T[], otherwise: T): T => {
    const text = env[name] as T | undefined;
    if (!text) return otherwise;
    if (choices.includes(text)) return text;
    say(`${name}=${text} is not one of ${choices.join(", ")}: using ${otherwise}`);
    return otherwise;
  };
  choice("FIELDPROF_LOG", ["on", "off"], "on"); // say.ts heeds it
  const push = pushOf(env, say, choice);
  const mode = choice<Mode>("FIELDPROF_MODE", ["exit", "continuous", "signal"], "exit");
  return {
    mode,
    interval: number("FIELDPROF_INTERVAL", 0.05, 10, "a number of milliseconds"),
    clock: choice<NonNullable<Recording["clock"]>>("FIELDPROF_CLOCK", ["auto", "shared", "poll"], "auto"),
    every: 1000 * Math.min(number("FIELDPROF_EVERY", 0.1, 60, "a number of seconds"), 86_400),
    keep: number("FIELDPROF_KEEP", 1, 60, "a whole number of files", Number.isInteger),
    output: env.FIELDPROF_OUTPUT || (push ? undefined : ""),
    push,
    service: env.FIELDPROF_SERVICE || undefined,
    release: env.FIELDPROF_RELEASE || undefined,
    labelValues: number("FIELDPROF_LABEL_VALUES", 1, 200, "a whole number of values", Number.isInteger),
    workers: choice("FIELDPROF_WORKERS", ["on", "off"], "on") === "on",
    maxOverhead: percentOf(env.FIELDPROF_MAX_OVERHEAD, mode, say),
  };
}

/** "5", "5%", or "off". A recording that goes on all day has a budget if none is named. */
function percentOf(text: string | undefined, mode: Mode, say: (text: string) => void): number | undefined {
  const otherwise = mode === "continuous" ? budget : undefined;
  if (!text?.trim()) return otherwise;
  if (text === "off") return undefined;
  const percent = Number(text.trim().replace(/\s*%$/, "") || NaN);
  if (percent > 0 && percent < Infinity) return percent;
  say(`FIELDPROF_MAX_OVERHEAD=${text} is not a percentage above 0, or off: using ${otherwise ?? "off"}`);
  return otherwise;
}

function pushOf(env: Environment, say: (text: string) => void, choice: <T extends string>(name: string, choices: readonly T[], otherwise: T) => T): PushTo | undefined {
  const { FIELDPROF_PUSH: url, FIELDPROF_PUSH_HEADERS: headers = "" } = env;
  const to = choice<Receiver>("FIELDPROF_PUSH_TO", ["collector", "pyroscope", "otlp"], "collector");
  if (!url) return undefined;
  try {
    const { protocol, username, password } = new URL(url);
    if (!/^https?:$/.test(protocol)) throw Error("it does not begin with http:// or https://");
    if (username || password) throw Error("names and passwords belong into FIELDPROF_PUSH_HEADERS");
  } catch (error) {
    const why = (error as { code?: string }).code === "ERR_INVALID_URL" ? "it is not a URL" : (error as Error).message;
    say(`FIELDPROF_PUSH: ${why}: nothing is sent`); // the address may have a key
    return undefined;
  }
  return { to, url, headers: headersOf(headers, say) };
}

/** Headers as OTEL_EXPORTER_OTLP_HEADERS has them: name=value,name=value, with %2C for a comma. */
function headersOf(text: string, say: (text: string) => void): Record<string, string> {
  const found: Record<string, string> = {};
  for (const part of text.split(",").filter((each) => each.trim())) {
    const [, name, value] = /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(part) ?? [];
    try {
      if (!name) throw Error();
      found[name] = decodeURIComponent(value);
      new Headers({ [name]: found[name] });
    } catch {
      delete found[name];
      say(`FIELDPROF_PUSH_HEADERS: ${name ? `the value of ${name} cannot be sent` : "a part is not name=value"}: it is left out`);
    }
  }
  return found;
}
