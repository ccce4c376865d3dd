// Whose work is being done: labels that follow it through callbacks and promises, and
// that samples carry. A sample is given its labels when it is taken, because later the
// context is another.
import { AsyncLocalStorage } from "node:async_hooks";
import { checks } from "../core/flag";
import { Trouble, say } from "./say";
import { onSample } from "./taken";

/** Labels by name: route, tenant, … */
export type Labels = Readonly<Record<string, string | number | boolean>>;

/** A set of labels around some work. */
export interface LabelSet {
  /** Its own labels, and the labels of sets around it that nothing fills in any more. Samples read them when they are collected. */
  readonly values: Record<string, string>;
  /** The innermost set around it that may still be filled in. */
  readonly outer: LabelSet | undefined;
  /** Fills in what is known only while the work is being done. */
  late?: () => void;
}

/** The longest value, in UTF-16 units. */
const longest = 200;
/** Labels that profiles have for themselves. */
const reserved = new Set(["kind", "marker", "thread"]);

const trouble = new Trouble(say, "");

/** One storage for all copies of this file, made when it is first used: without labels nothing is lost. */
function storage(): AsyncLocalStorage<LabelSet> {
  return (checks.labels ??= attached(new AsyncLocalStorage<LabelSet>())) as AsyncLocalStorage<LabelSet>;
}

function attached(store: AsyncLocalStorage<LabelSet>) {
  onSample((capture) => {
    capture.labels = current(store);
  });
  return store;
}

function current(store: AsyncLocalStorage<LabelSet>): LabelSet | undefined {
  try {
    const set = store.getStore();
    for (let at = set; at; at = at.outer) at.late?.();
    return set;
  } catch {
    return undefined; // a property that the framework has replaced threw
  }
}

/**
 * A set within the one that is around the caller. It does not hold that one, unless it has to: work
 * that schedules itself anew under labels would make a longer chain each time.
 */
export function within(labels: Labels): LabelSet {
  const values: Record<string, string> = {};
  let outer = storage().getStore();
  for (; outer && !outer.late; outer = outer.outer) fill(values, outer.values);
  for (const [name, value] of Object.entries(labels)) {
    if (value === undefined || value === null) continue;
    if (/^[A-Za-z_]\w{0,62}$/.test(name) && !reserved.has(name)) values[name] = valueOf(value);
    else trouble.begin(`labels: the name ${JSON.stringify(name.slice(0, 80))} is reserved or not made of letters, digits and _: it is left out`);
  }
  return { values, outer };
}

/** Adds what is not there yet. */
function fill(values: Record<string, string>, more: Readonly<Record<string, string>>) {
  for (const [name, value] of Object.entries(more)) if (!Object.hasOwn(values, name)) values[name] = value;
}

/** A value as profiles have it. Half of a pair of surrogates is no text: formats and addresses cannot have it. */
export function valueOf(value: unknown): string {
  return (String(value).slice(0, longest) as string & { toWellFormed(): string }).toWellFormed();
}

/** Does work under a set. */
export function under<T>(set: LabelSet, work: () => T): T {
  return storage().run(set, work);
}

/**
 * Does work, and everything that it starts, under labels: samples taken meanwhile have
 * them, in addition to those around the call. Returns what work returns.
 */
export function labels<T>(names: Labels, work: () => T): T {
  return under(within(names), work);
}

/** All labels of a set, those of inner sets before outer ones. */
export function valuesOf(set: LabelSet): Record<string, string> {
  if (!set.outer) return set.values;
  const values: Record<string, string> = {};
  for (let at: LabelSet | undefined = set; at; at = at.outer) fill(values, at.values);
  return values;
}
