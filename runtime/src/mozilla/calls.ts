// The page's stacks as results show them: a trie of calls, each a function and a
// position in it.
import type { Frame, Stack } from "../stacks/stack";
import { cleanText, cleanURL } from "../trace/clean";
import type { Functions } from "../trace/functions";
import { Trie } from "../trace/trie";
import type { Call, Location } from "./engine";

/** Mozilla's name for the code of a script outside its functions. */
const topLevel = "<top level>";

export class Stacks {
  readonly calls: Call[] = [];
  private readonly ids = new Map<string, number>();
  private readonly trie: Trie;

  constructor(private readonly functions: Functions) {
    this.trie = new Trie(
      (stack) => functions.callerOf(stack),
      (frame) => (functions.of(frame).shown ? this.call(frame) : -1),
    );
  }

  get parents(): readonly number[] {
    return this.trie.parents;
  }

  get frames(): readonly number[] {
    return this.trie.owners;
  }

  /** The index of a stack without the frames that must not show; -1 if none remain. */
  of(stack: Stack | null): number {
    return this.trie.of(stack);
  }

  private call(frame: Frame): number {
    const key = keyOf(frame);
    let id = this.ids.get(key);
    if (id === undefined) this.ids.set(key, (id = this.calls.push(this.describe(frame)) - 1));
    return id;
  }

  private describe(frame: Frame): Call {
    const fn = this.functions.of(frame);
    const name = fn.table && fn.index === 0 ? topLevel : fn.name;
    const at: Call["function"] = locate(fn.url, fn.line, fn.column);
    if (name) at.name = cleanText(name);
    return { function: at, site: locate(frame.url, frame.line, frame.column) };
  }
}

function locate(file: string, line: number, column: number): Location {
  const at: Location = { file: cleanURL(file) };
  if (line > 0) at.line = line;
  if (line > 0 && column > 0) at.column = column;
  return at;
}

/** The same for equal frames, even if they are different objects. */
export function keyOf({ url, line, column, name }: Frame): string {
  return `${line}:${column}:${name}\n${url}`;
}
