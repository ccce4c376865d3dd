// Stacks of the page as results show them: a trie of calls, each a function and
// a position in it.
import type { Frame, Stack } from "../recording";
import type { Functions } from "../trace/functions";
import type { Call, Place } from "./engine";

/** What Mozilla calls the code of a script outside its functions. */
const topLevel = "<top level>";

export class Stacks {
  readonly calls: Call[] = [];
  readonly parents: number[] = [];
  readonly frames: number[] = [];
  private readonly known = new Map<Stack, number>();
  private readonly ids = new Map<string, number>();
  private readonly children = new Map<number, number>();

  constructor(private readonly functions: Functions) {}

  /** The index of a stack, without what must not show; -1 when that is all of it. */
  of(stack: Stack | null): number {
    const passed: Stack[] = [];
    let id = -1;
    for (let at = stack; at; at = this.functions.callerOf(at)) {
      const known = this.known.get(at);
      if (known !== undefined) {
        id = known;
        break;
      }
      passed.push(at);
    }
    for (const inner of passed.reverse()) {
      if (this.functions.of(inner.frame).shown) id = this.child(id, inner.frame);
      this.known.set(inner, id);
    }
    return id;
  }

  private child(parent: number, frame: Frame): number {
    const call = this.call(frame);
    const key = (parent + 1) * 0x2000000 + call;
    let id = this.children.get(key);
    if (id === undefined) {
      this.children.set(key, (id = this.parents.length));
      this.parents.push(parent);
      this.frames.push(call);
    }
    return id;
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
    const at: Call["function"] = place(fn.url, fn.line, fn.column);
    if (name) at.name = name;
    return { function: at, site: place(frame.url, frame.line, frame.column) };
  }
}

function place(file: string, line: number, column: number): Place {
  const at: Place = { file };
  if (line > 0) at.line = line;
  if (line > 0 && column > 0) at.column = column;
  return at;
}

/** Equal for frames that are equal, if not the same. */
export function keyOf({ url, line, column, name }: Frame): string {
  return `${line}:${column}:${name}\n${url}`;
}
