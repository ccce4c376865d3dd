// Turns captured Errors into stacks. Together with the capture itself this is the cost of
// sampling, so each frame and stack is read only once.
import { frameOf, reading, runningEnd, type CallSite } from "./callsites";
import type { Grammar } from "./grammar";
import { Tables, type KnownFrame } from "./intern";
import { jsc } from "./jsc";
import { spidermonkey } from "./spidermonkey";
import type { Capture, Stack } from "./stack";
import { v8 } from "./v8";

const tables = new Tables();

/** How stacks were read so far. */
export const readings = {
  /** Whether the engine is JavaScriptCore, which has two frames for a running async function. */
  isJSC: false,
  /** Whether the engine is V8, whose stacks are of call sites, and whose text begins with `at`. */
  isV8: false,
  /** The number of stacks that could not be read without calling the page's prepareStackTrace. */
  refused: 0,
};

/**
 * Formats captures in order, at least the first, until all are done or `until`
 * returns true. With lines, frames say which lines run; without, V8's may say where
 * their functions begin instead. Never throws.
 */
export function format(captures: readonly (Capture<Stack> | null)[], lines: boolean, until?: () => boolean) {
  const pending: Capture<Stack>[] = [];
  for (const capture of captures) if (capture?.error) pending[pending.length] = capture;
  if (pending.length === 0) return;
  let done = 0;
  try {
    reading(pending[0].error!, (read) => {
      do {
        tables.renew();
        const capture = pending[done++];
        capture.stack = stackOf(capture.error!, capture.hidden, lines, read);
        capture.error = null;
      } while (done < pending.length && !until?.());
    });
  } catch {
    for (const capture of pending) capture.error = null; // nothing can be read here
    readings.refused += pending.length;
  }
}

function stackOf(error: Error, hidden: number, lines: boolean, read: (error: Error) => CallSite[] | string | undefined): Stack | null {
  try {
    const found = read(error);
    if (found === undefined) readings.refused++;
    if (!found) return null;
    readings.isV8 ||= typeof found !== "string";
    return typeof found === "string" ? fromText(found, error, hidden) : fromSites(found, hidden, lines);
  } catch {
    return null; // an Error that the page has changed
  }
}

const buffer: KnownFrame[] = [];

function fromSites(sites: readonly CallSite[], hidden: number, lines: boolean): Stack | null {
  const end = runningEnd(sites);
  buffer.length = 0;
  for (let i = hidden; i < end; i++) {
    const frame = frameOf(sites[i], tables, lines);
    if (frame) buffer[buffer.length] = frame;
  }
  return tables.stack(buffer);
}

function fromText(text: string, error: Error, hidden: number): Stack | null {
  const key = hidden + text;
  let stack = tables.stacks.get(key);
  if (stack === undefined) {
    stack = tables.stack(framesOf(text, error, hidden));
    tables.stacks.set(key, stack);
    tables.remember(key);
  }
  return stack;
}

function framesOf(text: string, error: Error, hidden: number): KnownFrame[] {
  const grammar = grammarOf(text, error);
  const frames: KnownFrame[] = [];
  for (const line of grammar.lines(text, error).slice(hidden)) {
    let frame = tables.lines.get(line);
    if (frame === undefined) {
      const found = grammar.read(line);
      if (found === "async") break;
      frame = found && tables.frame(found);
      tables.lines.set(line, frame);
      tables.remember(line);
    }
    if (frame) frames.push(frame);
  }
  return frames;
}

/** The engine's grammar: V8's lines begin with `at`, Firefox's Errors have a lineNumber, Safari's do not. */
export function grammarOf(text: string, error: Error): Grammar {
  if (text.startsWith("    at ") || text.includes("\n    at ")) {
    readings.isV8 = true;
    return v8;
  }
  if ("lineNumber" in error) return spidermonkey;
  readings.isJSC = true;
  return jsc;
}
