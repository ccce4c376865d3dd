// The function table of a deployed script: reads, checks and searches the JSON form of
// package functable as its Go code does. The file comes from the network and may say
// anything: a table that is accepted cannot mislead the search.
import { Fault } from "./clean";
import { isDebugId } from "./debugids";

/** Kinds of function, as package functable numbers them; a test compares the two. */
export const Script = 0;
export const Arrow = 3;
/** From Method to Constructor the text before the `(` runs as part of the function around it. */
export const Method = 4;
export const Constructor = 7;
export const Initializer = 8;

// The bits of a function's head.
const kindBits = 15;
const sitesShift = 4;
const sitesBits = 7;
const filledFirstBit = 1 << 7;
const inferredBit = 1 << 8;
const originalBit = 1 << 9;
const ignoredBit = 1 << 10;
const headEnd = 1 << 11;

const largest = 2 ** 31 - 1;

/** Columns of a table; positions are pairs of line and column, from 1. Function 0 is the script. */
export class Table {
  constructor(
    readonly count: number,
    private readonly heads: Uint16Array,
    /** Start, end and definition: six numbers for each function. */
    private readonly positions: Int32Array,
    private readonly parents: Int32Array,
    private readonly names: readonly string[],
    private readonly given: readonly string[],
    /** The script's, or empty. */
    readonly debugId: string,
  ) {}

  name(f: number): string {
    return this.names[f];
  }
  /**
   * The name that V8 gives it in profiles: an anonymous function is named after the
   * variable, property or field that it is the value of, if the language does so.
   */
  givenName(f: number): string {
    return this.given[f];
  }
  kind(f: number): number {
    return this.heads[f] & kindBits;
  }
  /** Which checks it carries: bit k for site k. */
  sites(f: number): number {
    return (this.heads[f] >> sitesShift) & sitesBits;
  }
  filledFirst(f: number): boolean {
    return (this.heads[f] & filledFirstBit) !== 0;
  }
  /** Whether its source is not the user's own. */
  ignored(f: number): boolean {
    return (this.heads[f] & ignoredBit) !== 0;
  }
  parent(f: number): number {
    return this.parents[f];
  }
  start(f: number): [line: number, column: number] {
    return [this.positions[6 * f], this.positions[6 * f + 1]];
  }
  end(f: number): [line: number, column: number] {
    return [this.positions[6 * f + 2], this.positions[6 * f + 3]];
  }
  /** Where V8 says the function is defined; 0:0: unknown. */
  definition(f: number): [line: number, column: number] {
    return [this.positions[6 * f + 4], this.positions[6 * f + 5]];
  }

  /** Whether a position is before the one at an index of positions. */
  private isBefore(index: number, line: number, column: number): boolean {
    const at = this.positions[index];
    return line < at || (line === at && column < this.positions[index + 1]);
  }

  /** Whether a position is within the script at all. */
  holds(line: number, column: number): boolean {
    return line > 0 && !this.isBefore(0, line, column) && (this.isBefore(2, line, column) || (line === this.positions[2] && column === this.positions[3]));
  }

  /** The innermost function that executes at a position; 0 outside all. */
  find(line: number, column: number): number {
    let at = this.last(line, column);
    while (at > 0 && !this.executes(at, line, column)) at = this.parents[at];
    return Math.max(0, at);
  }

  /**
   * The function that V8 says begins at a position; -1 if none does. Scripts, which have
   * no names, may begin where their first function does, and methods begin after `static`.
   */
  beginning(line: number, column: number, isNamed: boolean): number {
    const begins = (f: number) => this.positions[6 * f] === line && this.positions[6 * f + 1] === column;
    if (!isNamed && begins(0)) return 0;
    const at = this.last(line, column);
    return at > 0 && (begins(at) || (this.isMethod(at) && this.isBefore(6 * at + 4, line, column))) ? at : -1;
  }

  /** The last function that begins at a position or before it; -1 if none does. */
  private last(line: number, column: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.isBefore(6 * middle, line, column)) high = middle;
      else low = middle + 1;
    }
    return low - 1;
  }

  private executes(f: number, line: number, column: number): boolean {
    if (!this.isBefore(6 * f + 2, line, column)) return false;
    return !this.isMethod(f) || !this.isBefore(6 * f + 4, line, column); // nothing is before an unknown definition
  }

  private isMethod(f: number): boolean {
    const kind = this.kind(f);
    return kind >= Method && kind <= Constructor;
  }
}

/** Receives where the source of a function is, which pages do not need. */
export type SeeOriginal = (f: number, source: string, name: string, line: number, column: number) => void;

/** Reads a table in its JSON form, or throws what is wrong with it. */
export function decode(text: string, see?: SeeOriginal): Table {
  const wire = JSON.parse(text) as { version: unknown; debugId: unknown; strings: unknown; functions: unknown } | null;
  if (typeof wire !== "object" || wire === null) throw new Fault("it is not an object");
  if (wire.version !== 1) throw new Fault("its version is not supported, only 1");
  const { strings, functions } = wire;
  if (!Array.isArray(strings) || !strings.every((s) => typeof s === "string")) throw new Fault("its strings are not a list of strings");
  if (!Array.isArray(functions)) throw new Fault("it has no functions");
  return new Decoder(strings, functions, isDebugId(wire.debugId) ? wire.debugId : "", see).table();
}

class Decoder {
  private at = 0;
  private line = 0;
  private column = 0;

  constructor(
    private readonly strings: readonly string[],
    private readonly numbers: readonly unknown[],
    private readonly debugId: string,
    private readonly see?: SeeOriginal,
  ) {}

  table(): Table {
    const heads: number[] = [];
    const positions: number[] = [];
    const parents: number[] = [];
    const names: string[] = [];
    const given: string[] = [];
    let startLine = 0;
    let startColumn = 0;
    let source = [0, 0];
    while (this.at < this.numbers.length) {
      const f = heads.length;
      const head = this.number(0, headEnd - 1);
      heads.push(head);
      this.position(startLine, startColumn);
      startLine = this.line;
      startColumn = this.column;
      positions.push(startLine, startColumn);
      for (let i = 0; i < 2; i++) {
        this.position(startLine, startColumn);
        positions.push(this.line, this.column);
      }
      parents.push(f - this.number(1, f + 1));
      names.push(this.string());
      this.number(0, largest); // statements
      const inferred = head & inferredBit ? this.string() : "";
      given.push(names[f] || (inferred.includes(".") ? "" : inferred)); // an assignment to a.b names nothing
      if (head & originalBit) {
        const file = this.string();
        const name = this.string();
        this.position(source[0], source[1]);
        source = [this.line, this.column];
        this.see?.(f, file, name, this.line, this.column);
      }
      check(f, heads, positions, parents);
    }
    if (heads.length === 0) throw new Fault("it has no entry for the script");
    return new Table(heads.length, Uint16Array.from(heads), Int32Array.from(positions), Int32Array.from(parents), names, given, this.debugId);
  }

  private number(low: number, high: number): number {
    const value = this.numbers[this.at++];
    if (typeof value !== "number" || !Number.isInteger(value) || value < low || value > high) {
      throw new Fault(`functions[${this.at - 1}] is not within ${low} to ${high}`);
    }
    return value;
  }

  private position(baseLine: number, baseColumn: number) {
    const line = this.number(-largest, largest);
    const column = this.number(-largest, largest);
    this.line = baseLine + line;
    this.column = line === 0 ? baseColumn + column : column;
    if (this.line < 0 || this.line > largest || this.column < 0 || this.column > largest) {
      throw new Fault(`functions[${this.at - 1}] is out of range`);
    }
  }

  private string(): string {
    return this.strings[this.number(0, this.strings.length - 1)];
  }
}

/** Checks what find relies on: starts are in order, and children inside their parents. */
function check(f: number, heads: number[], positions: number[], parents: number[]) {
  const before = (a: number, b: number) => positions[a] < positions[b] || (positions[a] === positions[b] && positions[a + 1] < positions[b + 1]);
  const fail = (why: string) => {
    throw new Fault(`function ${f} ${why}`);
  };
  const start = 6 * f;
  const end = start + 2;
  const definition = start + 4;
  const kind = heads[f] & kindBits;
  if ((kind === Script) !== (f === 0)) fail("and only it is the script, or it is not");
  if (kind > Initializer) fail("is of an unknown kind");
  if (positions[start] < 1 || positions[start + 1] < 1) fail("starts before the text");
  if (before(end, start)) fail("ends before its start");
  const known = positions[definition] !== 0 || positions[definition + 1] !== 0;
  if (known && (before(definition, start) || before(end, definition))) fail("is defined outside itself");
  const parent = parents[f];
  if (f === 0) {
    if (parent !== -1) fail("has a parent");
    return;
  }
  if (before(start, start - 6)) fail("starts before the one before it");
  if (parent < 0) fail("has no parent");
  if (before(start, 6 * parent) || before(6 * parent + 2, end)) fail("is not inside its parent");
}
