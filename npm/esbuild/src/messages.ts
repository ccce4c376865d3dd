// The service's messages in esbuild's form.
import type { OnEndResult, PartialMessage } from "esbuild";
import type { Message } from "fieldprof";
import { messageOf } from "../../plugin/session";
import { named, type Folders } from "./folders";
import { join } from "node:path";

/** Warnings about files of the output, with their contents. */
export function messages(folders: Folders, warnings: readonly Message[], contents: ReadonlyMap<string, Uint8Array>): PartialMessage[] {
  return warnings.map(({ text, location }) => {
    if (!location) return { text };
    const { file, line, column } = location;
    return { text, location: { file: named(folders, join(folders.root, file), "log"), line, column, lineText: lineOf(contents.get(file), line) } };
  });
}

/** The most characters of a line that are shown; lines of minified files are longer. */
const longest = 2000;

function lineOf(contents: Uint8Array | undefined, line: number): string {
  if (!contents) return "";
  let start = 0;
  for (let n = 1; n < line; n++) {
    start = contents.indexOf(0x0a, start) + 1;
    if (start === 0) return "";
  }
  const end = contents.indexOf(0x0a, start);
  const text = new TextDecoder().decode(contents.subarray(start, end < 0 ? undefined : end)).replace(/\r$/, "");
  return text.length > longest ? text.slice(0, longest) : text;
}

/** Warnings, or errors if the build is strict. */
export function reported(warnings: PartialMessage[], strict: boolean | undefined): OnEndResult {
  return strict ? { errors: warnings } : { warnings };
}

/** The message if nothing could be instrumented. */
export function failure(error: unknown, strict: boolean | undefined): PartialMessage[] {
  return [{ text: messageOf(error) + (strict ? "" : "; the output is clean"), detail: error }];
}
