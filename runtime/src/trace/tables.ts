// Fetches function tables: each once, when a trace is made and never before. A
// script without one is no error, its frames keep the engine's names.
import { checks } from "../core/flag";
import { evaluated } from "../stacks/grammar";
import { cleanURL, Fault, errorName } from "./clean";
import { decode, type Table } from "./table";

/** Reads a file, as text; null where there is none. */
export type Read = (url: string, signal: AbortSignal) => Promise<string | null>;

/** No table is larger than this, in characters. */
export const largestTable = 64 << 20;

/** A trace waits no longer than this, in milliseconds, for all tables together. */
const patience = 5000;

/** Scripts of one trace that are asked for. */
const most = 1000;

const suffix = ".functions.json";

let read: Read = readByFetch;

/** Says how tables are read where there is a disk: for Node. */
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

/** By script: what became of its table. A reason is a string. */
const known = new Map<string, Table | string>();

/** The tables of scripts, as far as they come in time; what is wrong with the others goes to `notes`. */
export async function tablesOf(scripts: Iterable<string>, notes: Set<string>): Promise<Map<string, Table>> {
  const asked = [...new Set(scripts)].slice(0, most);
  const missing = asked.filter((script) => !known.has(script));
  if (missing.length > 0 && !checks.hurry) await load(missing);
  return loaded(asked, notes);
}

/** The same, as far as they came already. */
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
    if (signal.aborted) return; // the next trace may try again
    result = `no function table (${errorName(error)})`;
  }
  known.set(script, result);
}

/**
 * Like the page's own requests: with its credentials at its own origin, under CORS
 * elsewhere. But the page's query is not in the referrer.
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
