// Which function a frame is in. If the script has a function table, the table says:
// static names and definitions, whichever engine wrote the stack. Otherwise the
// engine's name has to do, and frames with the same name in the same script are one
// function, unless a reader may find the table.
import type { Frame, Stack } from "../stacks/stack";
import type { Flags } from "./attribution";
import { isOurs, type Origins } from "./origins";
import { Arrow, type Table } from "./table";

/** A function as traces show it. */
export interface Fn extends Flags {
  readonly name: string;
  readonly url: string;
  /** Where the deployed file defines it; without a table, where it begins or was first seen. 0: unknown. */
  readonly line: number;
  readonly column: number;
  /** Whether its source is not the user's own, as far as the table says. */
  readonly ignored: boolean;
  /** Whether traces may show it. */
  readonly shown: boolean;
  /** Its table, and its index there. */
  readonly table: Table | null;
  readonly index: number;
}

export class Functions {
  private readonly byFrame = new Map<Frame, Fn>();
  private readonly byKey = new Map<string, Fn>();

  constructor(
    private readonly tables: ReadonlyMap<string, Table>,
    private readonly origins: Origins,
    private readonly isJSC: boolean,
    /** Scripts with a table that has not arrived: readers find the functions by the frames' positions. */
    private readonly open: ReadonlySet<string> = new Set(),
  ) {}

  of(frame: Frame): Fn {
    let fn = this.byFrame.get(frame);
    if (!fn) this.byFrame.set(frame, (fn = this.find(frame)));
    return fn;
  }

  private find(frame: Frame): Fn {
    const { url, line } = frame;
    const table = line > 0 ? this.tables.get(url) : undefined;
    const index = table ? indexOf(frame, table) : -1;
    const key = `${index < 0 ? nameKey(frame, this.open.has(url)) : index}\n${url}`;
    let fn = this.byKey.get(key);
    if (!fn) {
      const shown = this.origins.shows(url, this.tables.has(url));
      fn = index < 0 ? named(frame, shown, !this.tables.has(url)) : described(frame, table!, index, shown);
      this.byKey.set(key, fn);
    }
    return fn;
  }

  /**
   * The caller's stack. JavaScriptCore runs an async function in two frames, its
   * body and the function that was called, and puts the latter at the function's end.
   */
  callerOf(stack: Stack): Stack | null {
    const { parent } = stack;
    return this.isJSC && parent && this.wraps(parent.frame, stack.frame) ? parent.parent : parent;
  }

  private wraps(outer: Frame, body: Frame): boolean {
    if (outer.url !== body.url) return false;
    const { table, index } = this.of(body);
    if (!table || index === 0) return false;
    const name = table.name(index);
    if (name !== "" ? outer.name !== name : outer.name !== "" || table.kind(index) !== Arrow) return false;
    const [line, column] = table.definition(index);
    const [endLine, endColumn] = table.end(index);
    if (outer.line !== line) return false;
    if (endLine === line) return outer.column === endColumn;
    // The column continues after the last line's text, from the first line's `(`.
    const least = endColumn + column - 1;
    return outer.column >= least && outer.column < least + 40;
  }
}

/** The index in its script's table of the function that a frame is in; -1 if none begins where V8 says that it does. */
export function indexOf(frame: Frame, table: Table): number {
  const { line, column } = frame;
  return isWhereItBegins(frame) ? table.beginning(line, column, frame.name !== "") : table.find(line, column);
}

function described(frame: Frame, table: Table, index: number, shown: boolean): Fn {
  let [line, column] = table.definition(index);
  if (line === 0) [line, column] = table.start(index);
  return {
    name: table.givenName(index),
    url: frame.url,
    line,
    column,
    checked: index === 0 || table.sites(index) !== 0,
    filledFirst: table.filledFirst(index),
    ignored: table.ignored(index),
    shown,
    table,
    index,
  };
}

/**
 * Whether a frame of V8 says no more than where its function begins. The implicit
 * constructor of a class begins at the class's first character, where tables have none.
 */
function isWhereItBegins(frame: Frame): boolean {
  return frame.startLine === frame.line && frame.startColumn === frame.column;
}

function named(frame: Frame, shown: boolean, checked: boolean): Fn {
  const [line, column] = beginning(frame);
  return { name: frame.name, url: frame.url, line, column, checked: checked && !isOurs(frame.url), filledFirst: false, ignored: false, shown, table: null, index: -1 };
}

function nameKey(frame: Frame, isOpen: boolean): string {
  const [line, column] = beginning(frame);
  const begins = !!frame.startLine;
  return `${frame.name}@${isOpen || begins || frame.name === "" ? `${line}:${column}` : ""}`;
}

function beginning({ line, column, startLine, startColumn }: Frame): [line: number, column: number] {
  return startLine ? [startLine, startColumn!] : [line, column];
}
