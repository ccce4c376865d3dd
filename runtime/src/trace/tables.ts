// Fetches function tables: each once, and only when a trace is made. A script without
// a table is not an error: its frames keep the engine's names.
import { checks } from "../core/flag";
import { evaluated } from "../stacks/grammar";
import { cleanURL, Fault, errorName } from "./clean";
import { decode, type Table } from "./table";

/** Reads a file as text; null if it does not exist. */
export type Read = (url: string, signal: AbortSignal) => Promise<string | null>;

/** The largest table, in characters. */
export const largestTable = 64 << 20;

/** How long a trace waits for all tables together, in milliseconds. */
const patience = 5000;

/** The most scripts of a trace whose tables are fetched. */
const most = 1000;

const suffix = ".functions.json";

let read: Read = readByFetch;

/** Sets how tables are read: Node has a disk. */
export function readTablesBy(by: Read) {
  read = by;
}

/** Where a script's table is; null for scripts that cannot have one. */
export function tableURL(script: string): string | null {
  if (script.endsWith(evaluated)) return null;
  if (/^(?:https?|file):\/\//i.test(script)) {
    const path = cleanURL(script);
    return (path.endsWith("/") ? path + "index.html" : path) + suffix;
  }
  const isPath = /^(?:\/|[A-Za-z]:\\|\\\\)/.test(script);
  return isPath && read !== readByFetch ? script + suffix : null;
}

/** By script: its table, or the reason why it has none. */
const known = new Map<string, Table | string>();

/** The tables of scripts that arrive in time; `notes` says what is wrong with the others. */
export async function tablesOf(scripts: Iterable<string>, notes: Set<string>): Promise<Map<string, Table>> {
  const asked = [...new Set(scripts)].slice(0, most);
  const missing = asked.filter((script) => !known.has(script));
  if (missing.length > 0 && !checks.hurry) await load(missing);
  return loaded(asked, notes);
}

/** The tables of scripts that have already arrived. */
export function loaded(scripts: Iterable<string>, notes: Set<string>): Map<string, Table> {
  const found = new Map<string, Table>();
  for (const script of scripts) {
    const table = known.get(script) ?? "not loaded in time";
    if (typeof table === "string") notes.add(`${cleanURL(script)}: ${table}: its functions have the engine's names`);
    else found.set(script, table);
  }
  return found;
}

async function load(scripts: readonly string[]) {
  const stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((done) => {
    timer = setTimeout(() => {
      stop.abort();
      done();
    }, patience);
  });
  const all = Promise.all(scripts.map((script) => loadOne(script, stop.signal)));
  await Promise.race([all, late]);
  clearTimeout(timer);
}

async function loadOne(script: string, signal: AbortSignal) {
  const url = tableURL(script);
  let result: Table | string = "no function table";
  try {
    const text = url && (await read(url, signal));
    if (text) result = decode(text);
  } catch (error) {
    if (signal.aborted) return; // the next trace tries again
    result = `no function table (${errorName(error)})`;
  }
  known.set(script, result);
}

/**
 * Like the page's own requests: with credentials at its own origin, under CORS
 * elsewhere. But the referrer does not have the page's query.
 */
async function readByFetch(url: string, signal: AbortSignal): Promise<string | null> {
  const response = await fetch(url, { signal, credentials: "same-origin", referrerPolicy: "strict-origin" });
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
