// Where functions come from: the function table of a script says, or else its source map,
// which is a file beside the script or in a comment at its end.
import { Buffer } from "node:buffer";
import { readFile, stat } from "node:fs/promises";
import { SourceMap } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Attributed } from "../trace/attributed";
import { errorName } from "../trace/clean";
import type { Fn } from "../trace/functions";
import { decode } from "../trace/table";

interface Place {
  readonly file: string;
  readonly name: string;
  readonly line: number;
  readonly column: number;
}

/** The known facts of a script. */
interface Script {
  /** By function of its table. */
  readonly places: ReadonlyMap<number, Place>;
  readonly map: SourceMap | undefined;
  /** The URL that the names of sources in the map are relative to. */
  readonly base: string;
  readonly modified: number;
}

/** How tables name the script itself as it was before it was instrumented, if it has no map. */
const itself = "fieldprof:";

/** The largest map or script that is read, in bytes. */
const largest = 128 << 20;

/** Finds originals, and remembers what it has read while the files stay the same. */
export class Originals {
  private readonly known = new Map<string, Script>();

  /** The same with the names and places of sources, as far as they are known. */
  async of(found: Attributed, notes: Set<string>): Promise<Attributed> {
    const scripts = new Map<string, Script | undefined>();
    for (const { url } of found.functions) {
      if (!url || scripts.has(url)) continue;
      try {
        scripts.set(url, await this.script(url));
      } catch (error) {
        scripts.set(url, undefined);
        notes.add(`${url}: its source map cannot be read (${errorName(error)}): its functions have deployed names`);
      }
    }
    return { ...found, functions: found.functions.map((fn) => original(fn, scripts.get(fn.url))) };
  }

  private async script(url: string): Promise<Script | undefined> {
    const path = pathOf(url);
    if (!path) return undefined;
    let modified: number;
    try {
      ({ mtimeMs: modified } = await stat(path));
    } catch {
      return undefined; // evaluated code, or a script that is gone
    }
    const known = this.known.get(path);
    if (known?.modified === modified) return known;
    const places = await placesOf(path);
    const [map, base] = await mapOf(path);
    const script: Script = { places, map, base, modified };
    this.known.set(path, script);
    return script;
  }
}

function pathOf(url: string): string | undefined {
  if (url.startsWith("file:")) return fileURLToPath(url);
  return /^(?:\/|[A-Za-z]:\\|\\\\)/.test(url) ? url : undefined;
}

function original(fn: Fn, script: Script | undefined): Fn {
  if (!script || fn.line === 0) return fn;
  const place = (fn.index >= 0 ? script.places.get(fn.index) : undefined) ?? mapped(fn, script.map);
  if (!place) return fn;
  const url = place.file.startsWith(itself) ? fn.url : absolute(place.file, script.base);
  return { ...fn, name: place.name || fn.name, url, line: place.line, column: place.column };
}

/** A map knows where a function is defined, but its name only if the map has one there. */
function mapped({ line, column }: Fn, map: SourceMap | undefined): Place | undefined {
  if (!map) return undefined;
  const entry = map.findEntry(line - 1, column - 1);
  if (!entry.originalSource || entry.generatedLine !== line - 1) return undefined;
  return { file: entry.originalSource, name: entry.name ?? "", line: entry.originalLine + 1, column: entry.originalColumn + 1 };
}

/** Sources on this machine are paths; others stay as the map has them. */
function absolute(source: string, base: string): string {
  try {
    const url = new URL(source, base);
    return url.protocol === "file:" ? fileURLToPath(url) : source;
  } catch {
    return source;
  }
}

async function placesOf(path: string): Promise<Map<number, Place>> {
  const places = new Map<number, Place>();
  const text = await textOf(`${path}.functions.json`);
  if (text) decode(text, (f, file, name, line, column) => places.set(f, { file, name, line, column }));
  return places;
}

/** The map, and the URL that its sources are relative to. */
async function mapOf(path: string): Promise<[SourceMap | undefined, string]> {
  let file = `${path}.map`;
  let text = await textOf(file);
  if (!text) {
    const comments = (await textOf(path))?.match(/^[ \t]*\/\/[#@] sourceMappingURL=\S+/gm);
    const at = comments?.[comments.length - 1].replace(/^.*?=/, "");
    const inline = /^data:[^,]*?(;base64)?,(.*)$/.exec(at ?? "");
    if (inline) {
      [file, text] = [path, inline[1] ? Buffer.from(inline[2], "base64").toString() : decodeURIComponent(inline[2])];
    } else if (at && !/^[a-z][\w+.-]+:/i.test(at)) {
      file = fileURLToPath(new URL(at, pathToFileURL(path)));
      text = await textOf(file);
    }
  }
  if (!text) return [undefined, pathToFileURL(path).href];
  const payload = JSON.parse(text) as { sourceRoot?: string };
  const base = new URL((payload.sourceRoot ?? "").replace(/[^/]$/, "$&/"), pathToFileURL(`${dirname(file)}/`));
  return [new SourceMap({ ...payload, sourceRoot: "" }), base.href];
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    if ((await stat(path)).size > largest) return undefined;
    return await readFile(path, { encoding: "utf8" });
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return undefined;
    throw error;
  }
}
