// The tree of calls of all sources: functions are the same if they have the same name,
// file and line, and nodes if they have the same function and caller. Numbers are never
// given again, so that what refers to them stays true while samples come and go.
import { COLLECTOR, IDLE, LOST, NATIVE, PROGRAM, SCRIPT } from "../columns";
import { Func } from "../profile";
import type { Record } from "./protocol";

/** How many nodes and functions there may be; later nodes count in their callers. */
const mostNodes = 1 << 21;

const kindsByName: { [kind: string]: number } = { native: NATIVE, idle: IDLE, collector: COLLECTOR, program: PROGRAM, lost: LOST };

export class Calls {
  readonly functions: Func[] = [];
  private readonly byKey = new Map<string, number>();
  parent = new Int32Array(1 << 10);
  fn = new Int32Array(1 << 10);
  count = 0;
  /** Nodes by caller and function: an open table of their numbers and one more, so that 0 is free. */
  private table = new Int32Array(1 << 12);

  constructor(private readonly most = mostNodes) {}

  get isFull(): boolean {
    return this.count >= this.most;
  }

  functionOf({ name, file, line = 0, kind = "" }: Record): number {
    const number = Object.hasOwn(kindsByName, kind) ? kindsByName[kind] : SCRIPT;
    const shown = name || "(anonymous)";
    const key = `${number}\n${line}\n${file}\n${shown}`;
    let id = this.byKey.get(key);
    if (id === undefined && this.functions.length >= this.most) return this.functions.length - 1;
    if (id === undefined) {
      this.byKey.set(key, (id = this.functions.length));
      this.functions.push(new Func(shown, file, line, number));
    }
    return id;
  }

  /** The node of a call; without room for it that of the caller. */
  nodeOf(caller: number, fn: number): number {
    const mask = this.table.length - 1;
    let at = hash(caller, fn) & mask;
    for (let entry = this.table[at]; entry !== 0; entry = this.table[(at = (at + 1) & mask)]) {
      if (this.parent[entry - 1] === caller && this.fn[entry - 1] === fn) return entry - 1;
    }
    if (this.count >= this.most) return caller;
    const node = this.count++;
    if (node === this.parent.length) [this.parent, this.fn] = [longer(this.parent), longer(this.fn)];
    this.parent[node] = caller;
    this.fn[node] = fn;
    this.table[at] = node + 1;
    if (2 * this.count > this.table.length) this.rehash();
    return node;
  }

  private rehash() {
    this.table = new Int32Array(2 * this.table.length);
    const mask = this.table.length - 1;
    for (let node = 0; node < this.count; node++) {
      let at = hash(this.parent[node], this.fn[node]) & mask;
      while (this.table[at] !== 0) at = (at + 1) & mask;
      this.table[at] = node + 1;
    }
  }
}

function hash(caller: number, fn: number): number {
  const mixed = Math.imul(caller, 0x9e3779b1) ^ Math.imul(fn, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}

/** A copy with twice the room. */
export function longer<Columns extends Int32Array | Float64Array | Uint16Array>(column: Columns): Columns {
  const copy = new (column.constructor as new (count: number) => Columns)(2 * column.length);
  copy.set(column);
  return copy;
}
