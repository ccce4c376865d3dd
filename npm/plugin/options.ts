// The options that plugins of every bundler have in common.
import type { Options as ServiceOptions } from "fieldprof";

/** Options that decide the output have the names of the command line's flags; the others are for builds. */
export interface PluginOptions extends Omit<ServiceOptions, "sample"> {
  /**
   * The output of a build: the profiled one, or `both`: the clean output as without the
   * plugin, and a profiled copy in a folder next to it.
   * @default "profiled"
   */
  variant?: "profiled" | "both";
  /**
   * The folder of the profiled copy with `variant: "both"`, beside the output folder. A relative one is relative to
   * what the bundler's own are: esbuild's `absWorkingDir`, Vite's `root`, webpack's and Rspack's `context`.
   * @default the output folder's name followed by "-profiled"
   */
  profiledOutdir?: string;
  /**
   * Fails the build instead of warning, for example if a script cannot be read or the
   * service cannot be started. Otherwise the build goes on, and files that could not be
   * instrumented are clean.
   * @default false
   */
  strict?: boolean;
}

/** Returns what a value should be, if it is not. */
export type Expectation = (value: unknown) => string | undefined;

export const text: Expectation = (value) => (typeof value === "string" && value !== "" ? undefined : "a string");
export const flag: Expectation = (value) => (typeof value === "boolean" ? undefined : "true or false");
export const oneOf = (...names: string[]): Expectation => (value) => (names.includes(value as string) ? undefined : names.map((name) => `"${name}"`).join(" or "));

/** Options of the build. */
const own: Record<string, Expectation> = { variant: oneOf("profiled", "both"), profiledOutdir: text, strict: flag };

/** Options of the service, which also checks their values. */
const services: (keyof Omit<ServiceOptions, "sample">)[] = ["preset", "minStatements", "checks", "form", "maxGzip", "include", "exclude", "publicPath", "clock", "prefer", "tables", "base", "maxRecording", "obeyPolicy", "wrapWorkers", "embed"];

/**
 * Divides options into those of the service and those of the build. Throws for a wrong name
 * or value; the service checks its own values.
 */
export function divide<Given extends PluginOptions>(given: Given, more: Record<string, Expectation> = {}): { service: ServiceOptions; build: Omit<Given, keyof ServiceOptions> } {
  const known = { ...own, ...more };
  const service: Record<string, unknown> = {};
  const build: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if ((services as string[]).includes(name)) {
      service[name] = value;
      continue;
    }
    if (!Object.hasOwn(known, name)) throw new Error(`unknown option "${name}": did you mean "${nearest(name, [...services, ...Object.keys(known)])}"?`);
    const wanted = known[name](value);
    if (wanted) throw new Error(`option "${name}" is ${JSON.stringify(value) ?? String(value)}: it must be ${wanted}`);
    build[name] = value;
  }
  if (build.profiledOutdir && build.variant !== "both") throw new Error('option "profiledOutdir" is for variant "both": set it, too');
  return { service: service as ServiceOptions, build: build as Omit<Given, keyof ServiceOptions> };
}

function nearest(name: string, names: string[]): string {
  const distances = names.map((other) => distance(name.toLowerCase(), other.toLowerCase()));
  return names[distances.indexOf(Math.min(...distances))];
}

/** The number of characters to insert, delete or replace. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length];
}
