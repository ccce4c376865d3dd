// Fetches function tables: each once, when a sample shows that its script runs (early.ts)
// or when a trace needs it. A script without a table is not an error: its frames keep the
// engine's names. If a table may exist and is not here, they also keep their positions.
import { builtin } from "../core/builtin";
import { checks } from "../core/flag";
import { cancel, later, type Timer } from "../core/timers";
import { tape } from "../recording/sampler";
import type { TablesMode } from "../recording/sessions";
import { evaluated } from "../stacks/grammar";
import { cleanURL, Fault, errorName } from "./clean";
import { decode, type Table } from "./table";

/** Reads a file as text; null if it does not exist. */
export type Read = (url: string, signal: AbortSignal, priority?: RequestPriority) => Promise<string | null>;

/** The largest table, in characters. */
export const largestTable = 64 << 20;

/** How long a trace waits for all tables together, in milliseconds. */
const patience = 5000;

/** The most scripts of a trace whose tables are fetched. */
const most = 1000;

/** How many tables may be asked for before a trace needs them. */
const mostEarly = 100;

/** Events after which a page may be gone. */
const leaving = ["visibilitychange", "pagehide", "freeze"];

const suffix = ".functions.json";

const requestIdleCallback = builtin("requestIdleCallback");

let readFile: Read = readByFetch;

/** Sets how tables are read: Node has a disk. */
export function readTablesBy(by: Read) {
  readFile = by;
}

/** When tables are asked for: none leaves names to the readers of traces. */
export function modeOf(): TablesMode {
  const { tables } = tape.options;
  return tables === "late" || tables === "none" ? tables : "early";
}

/** Where a script's table is; null for scripts that cannot have one. */
export function tableURL(script: string): string | null {
  if (script.endsWith(evaluated)) return null;
  if (/^(?:https?|file):\/\//i.test(script)) {
    const path = cleanURL(script);
    return (path.endsWith("/") ? path + "index.html" : path) + suffix;
  }
  const isPath = /^(?:\/|[A-Za-z]:\\|\\\\)/.test(script);
  return isPath && readFile !== readByFetch ? script + suffix : null;
}

/** By script: its table, its text until it is needed, or the reason why there is none. */
const known = new Map<string, Table | { text: string } | string>();

/** Scripts whose request failed, which says nothing of their table. */
const failed = new Set<string>();

/** Forgets that they failed: the reason may be gone. */
export function forgive() {
  for (const script of failed) known.delete(script);
  failed.clear();
}

/** WebKit ends the requests of a page that is left. */
const again = ({ type, persisted }: { type: string; persisted?: boolean }) => {
  if (type === "online" || persisted) forgive();
};
for (const type of ["pageshow", "online"]) globalThis.addEventListener?.(type, again);

/** Requests on their way. */
const coming = new Map<string, { done: Promise<void>; stop: AbortController }>();

/** The tables of scripts that arrive in time; `notes` says what is wrong with the others. */
export async function tablesOf(scripts: Iterable<string>, notes: Set<string>): Promise<Map<string, Table>> {
  const asked = [...new Set(scripts)].slice(0, most);
  if (!checks.hurry && modeOf() !== "none") await load(asked);
  return loaded(asked, notes);
}

/** The tables of scripts that have already arrived. */
export function loaded(scripts: Iterable<string>, notes: Set<string>): Map<string, Table> {
  const found = new Map<string, Table>();
  const open = missing(scripts);
  for (const script of scripts) {
    if (open.has(script)) continue;
    const table = read(script);
    if (typeof table === "string") notes.add(`${cleanURL(script)}: ${table}: its functions have the engine's names`);
    else found.set(script, table);
  }
  if (open.size > 0) {
    const why = modeOf() === "none" ? "were not asked for (tables: none)" : "were not loaded in time";
    notes.add(`function tables: those of ${open.size} scripts ${why}: functions have the engine's names and deployed positions, which --tables DIR resolves: see docs/pages.md#names`);
  }
  return found;
}

/** The scripts whose table may exist, but has not arrived. */
export function missing(scripts: Iterable<string>): Set<string> {
  return new Set([...scripts].filter((script) => !known.has(script)));
}

/** Asks for a table before a trace needs it, at low priority. */
export function ask(script: string) {
  if (!known.has(script) && !coming.has(script) && known.size + coming.size < mostEarly) begin(script, "low");
}

function read(script: string): Table | string {
  let table = known.get(script)!;
  if (typeof table === "object" && "text" in table) {
    try {
      table = decode(table.text);
    } catch (error) {
      table = `no function table (${errorName(error)})`;
    }
    known.set(script, table);
  }
  return table;
}

/** Waits for the tables until they are there, patience ends, or the page may be gone. */
async function load(scripts: readonly string[]) {
  const awaited = [...missing(scripts)].map((script) => coming.get(script) || begin(script));
  if (awaited.length === 0) return;
  let timer: Timer;
  let leave = () => {};
  const late = new Promise<void>((done) => {
    timer = later(() => {
      for (const { stop } of awaited) stop.abort();
      done();
    }, patience);
    leave = () => {
      if (checks.hurry) done();
    };
  });
  const { addEventListener, removeEventListener } = globalThis; // they hear after those that set hurry, which capture
  for (const type of leaving) addEventListener?.(type, leave);
  await Promise.race([Promise.all(awaited.map(({ done }) => done)), late]);
  for (const type of leaving) removeEventListener?.(type, leave);
  cancel(timer);
}

function begin(script: string, priority?: RequestPriority) {
  const stop = new AbortController();
  const request = { done: loadOne(script, stop.signal, priority).finally(() => coming.delete(script)), stop };
  coming.set(script, request);
  return request;
}

async function loadOne(script: string, signal: AbortSignal, priority?: RequestPriority) {
  const url = tableURL(script);
  try {
    const text = url && (await readFile(url, signal, priority));
    if (signal.aborted) return;
    known.set(script, text ? { text } : "no function table");
    // Reading takes time that the page should not miss.
    if (text) requestIdleCallback?.(() => read(script));
  } catch (error) {
    // The next trace tries again what took too long.
    if (signal.aborted) return;
    known.set(script, `no function table (${errorName(error)})`);
    failed.add(script);
  }
}

/**
 * Like the page's own requests: with credentials at its own origin, under CORS
 * elsewhere. But the referrer does not have the page's query.
 */
async function readByFetch(url: string, signal: AbortSignal, priority?: RequestPriority): Promise<string | null> {
  const response = await builtin("fetch")!(url, { signal, priority, credentials: "same-origin", referrerPolicy: "strict-origin" });
  if (!response.ok || !response.body) return null;
  const length = Number(response.headers.get("Content-Length"));
  if (length > largestTable) return null;
  if (length > 0) return response.text();
  const body = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { done, value } = await body.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    if (text.length > largestTable) {
      body.cancel().catch(() => {});
      throw new Fault("it is too large");
    }
  }
}
