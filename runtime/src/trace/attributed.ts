// A recording whose samples are attributed: functions in place of frames, and stacks
// cut down to the function that owns the time, as a trie. Every form of trace is a
// translation of this.
import { byCheck, Program, type SampleKind } from "../core/kinds";
import { readings } from "../recording/reader";
import type { Recording } from "../recording/recording";
import type { Frame } from "../stacks/stack";
import { Attribution } from "./attribution";
import { cleanURL } from "./clean";
import { eachFrame, samplesOf, type Samples } from "./columns";
import { Functions, indexOf, type Fn } from "./functions";
import { isOurs, Origins } from "./origins";
import type { Table } from "./table";
import { missing, tablesOf } from "./tables";
import { Trie } from "./trie";

export interface Attributed {
  readonly functions: Fn[];
  /** The stacks: the index of the caller's stack (-1: none), which comes first, and the index of the function. */
  readonly parents: number[];
  readonly owners: number[];
  /** In order of time; a stack is an index, -1 for none. */
  each(visit: (time: number, stack: number, kind: SampleKind, weight: number, skid: number) => void): void;
  readonly skids: number[];
  /** Ticks that checks took and no function has, such as at the entry of a function without a checked caller: (program). */
  readonly unowned: number;
  /** The losses and their reasons, for people to read. */
  readonly notes: Set<string>;
}

/** Represents functions that must not show, if their presence may. */
const unknown: Fn = { name: "unknown", url: "", line: 0, column: 0, checked: false, filledFirst: false, ignored: false, shown: true, table: null, index: -1 };

/** Functions that must not show are left out or, on request, each run of them becomes one function "unknown". */
export async function attributed(recording: Recording, asUnknown = false): Promise<Attributed> {
  const notes = new Set(recording.notes);
  const samples = samplesOf(recording);
  if (readings.refused > 0) notes.add("the page's Error.prepareStackTrace cannot be set aside: some stacks were not read");
  const origins = new Origins();
  const scripts = scriptsToAsk(samples, origins);
  const tables = await tablesOf(scripts, notes);
  const open = missing(scripts);
  dropWrong(tables, samples, notes);
  const functions = new Functions(tables, origins, readings.isJSC, open);
  const attribution = new Attribution(
    (frame) => functions.of(frame),
    (stack) => functions.callerOf(stack),
  );
  const owners = new Owners(functions, asUnknown);
  const trie = new Trie(
    (stack) => functions.callerOf(stack),
    (frame, caller) => owners.of(frame, caller),
  );
  const stacks = new Int32Array(samples.times.length).fill(-1);
  const kinds = samples.kinds.slice();
  let unowned = 0;
  for (let i = 0; i < stacks.length; i++) {
    const owner = attribution.owner(samples.stacks[i], kinds[i]);
    if (owner) stacks[i] = trie.of(owner);
    if (!byCheck(kinds[i]) || stacks[i] >= 0) continue;
    kinds[i] = Program;
    unowned += samples.weights[i];
  }
  const { times, weights, skids } = samples;
  return {
    functions: owners.functions,
    parents: trie.parents,
    owners: trie.owners,
    each: (visit) => stacks.forEach((stack, i) => visit(times[i], stack, kinds[i], weights[i], skids[i])),
    skids,
    unowned,
    notes,
  };
}

/** The scripts whose tables are needed. A script in which a sample was taken has checks. */
function scriptsToAsk(samples: Samples, origins: Origins): Set<string> {
  const checked = new Set<string>();
  samples.stacks.forEach((stack, i) => {
    if (stack && byCheck(samples.kinds[i])) checked.add(stack.frame.url);
  });
  const asked = new Set<string>();
  const seen = new Set<string>();
  eachFrame(samples.stacks, ({ url }) => {
    if (seen.has(url)) return;
    seen.add(url);
    if (origins.asks(url, checked.has(url))) asked.add(url);
  });
  return asked;
}

/** Drops tables that belong to another version of their script: it is too short, or has no checks where samples were taken. */
function dropWrong(tables: Map<string, Table>, samples: Samples, notes: Set<string>) {
  if (tables.size === 0) return;
  const balance = new Map<string, number>();
  samples.stacks.forEach((stack, i) => {
    const table = stack && tables.get(stack.frame.url);
    if (!table || !byCheck(samples.kinds[i])) return;
    const { url, line } = stack.frame;
    const fits = line === 0 || (table.sites(indexOf(stack.frame, table)) >> samples.kinds[i]) & 1;
    balance.set(url, (balance.get(url) || 0) + (fits ? 1 : -1));
  });
  eachFrame(samples.stacks, ({ url, line, column }) => {
    const table = tables.get(url);
    if (table && line > 0 && !table.holds(line, column)) balance.set(url, -Infinity);
  });
  for (const [url, by] of balance) {
    if (by >= 0) continue;
    tables.delete(url);
    notes.add(`${cleanURL(url)}: the function table does not match the script: its functions have the engine's names`);
  }
}

/** Numbers the functions that traces may show, in the order in which stacks reach them. */
class Owners {
  readonly functions: Fn[] = [];
  private readonly ids = new Map<Fn, number>();

  constructor(
    private readonly all: Functions,
    private readonly asUnknown: boolean,
  ) {}

  of(frame: Frame, caller: number): number {
    const fn = this.all.of(frame);
    if (fn.shown) return this.number(fn);
    return this.asUnknown && !isOurs(fn.url) && this.functions[caller] !== unknown ? this.number(unknown) : -1;
  }

  private number(fn: Fn): number {
    let id = this.ids.get(fn);
    if (id === undefined) this.ids.set(fn, (id = this.functions.push(fn) - 1));
    return id;
  }
}
