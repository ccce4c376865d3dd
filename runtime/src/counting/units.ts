// Counts the executions of sites, script by script, and the time in which the realm is busy.
import { now } from "../core/real";

/** A function with sites, as transform/counting.go writes it: sites are bits, loops those with a site. */
type Known = [index: number, line: number, column: number, name: string, sites: number, loops: number, statements: number, iterates: number];

/** A script's description of itself, given before its first site is passed. */
export type Unit = [build: string, preset: string, file: string, hash: string, functions: Known[]];

declare module "../core/flag" {
  interface Checks {
    /** Gives a script the flag of its sites, which it describes. */
    train?(unit: Unit): unknown;
    /** The text of counts.json so far. */
    counts?(): string;
  }
}

/** The flag that sites test: element 0 is always up. */
interface Flag extends Array<number> {
  c: { c(site: number): void };
}

interface Entry {
  unit: Unit;
  executions: number[];
  flag: Flag;
}

const units = new Map<string, Entry>();
let busy = false;
let began = 0;
let milliseconds = 0;

// As they are before the page can replace them. An immediate that keeps nothing alive would
// end only when something else wakes the loop; after beforeExit, one that does would never let it end.
const { setImmediate } = globalThis as { setImmediate?(task: () => void): { unref?(): void } };
const channel = !setImmediate && typeof MessageChannel === "function" ? new MessageChannel() : null;
if (channel) channel.port1.onmessage = end;
let ending = false;

/** The realm's loop has run dry. */
export const runDry = () => (ending = true);

/** A task has come to its first site: it is over when a message or an immediate gets its turn. */
function begin() {
  busy = true;
  began = now();
  if (channel) channel.port2.postMessage(0);
  else if (setImmediate) {
    const handle = setImmediate(end);
    if (ending) handle.unref?.();
  }
}

function end() {
  if (busy) milliseconds += now() - began;
  busy = false;
}

/** How often a busy program looks at the clock for `pulse`, in executions. */
const beats = 1 << 20;
let executed = 0;

/** Called now and then by a busy program. */
export const heart = { beat() {} };

/** Gives a script the flag of its sites, the same one each time it is loaded. */
export function register(unit: Unit): Flag {
  const key = unit.slice(0, 4).join("\n");
  const known = units.get(key);
  if (known) return known.flag;
  const sites = unit[4].reduce((sum, [, , , , kinds, loops]) => sum + (kinds & 1) + loops + (kinds >> 2), 0);
  const executions = new Array<number>(sites).fill(0);
  const flag = [1, 0] as number[] as Flag;
  flag.c = {
    c(site) {
      executions[site]++;
      if (!busy) begin();
      if (++executed === beats) {
        executed = 0;
        heart.beat();
      }
    },
  };
  units.set(key, { unit, executions, flag });
  return flag;
}

/** Whether a script has registered. */
export const counted = () => units.size > 0;

/** The text of counts.json (transform/training): the executions since the load, or the last forget. */
export function counts(): string {
  if (busy) {
    end();
    begin();
  }
  const [first] = units.values();
  const [build, preset] = first?.unit ?? ["", ""];
  const files = [];
  for (const { unit, executions } of units.values()) {
    const [of, , file, hash, known] = unit;
    if (of !== build) continue; // a page may have the scripts of two
    const functions = [];
    let at = 0;
    for (const [index, line, column, name, kinds, loops, statements, iterates] of known) {
      const sites = executions.slice(at, (at += (kinds & 1) + loops + (kinds >> 2)));
      if (!sites.some((n) => n > 0)) continue;
      const entry = kinds & 1 ? sites.shift() : undefined;
      const exit = kinds & 4 ? sites.pop() : undefined;
      functions.push({ index, line, column, name, statements, iterates: iterates > 0 || undefined, entry, loops: loops ? sites : undefined, exit });
    }
    if (functions.length) files.push({ file, hash, functions });
  }
  const text = { format: "fieldprof counts", version: 1, build, preset, sessions: 1, milliseconds, files };
  return `${JSON.stringify(text)}\n`;
}

/** Begins again at zero. */
export function forget() {
  for (const { executions } of units.values()) executions.fill(0);
  if (busy) began = now();
  milliseconds = 0;
}
