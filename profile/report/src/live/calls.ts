// The tree of calls of all sources: functions are the same if they have the same name,
// file and line, and nodes if they have the same function and caller. Numbers are never
// given again, so that references to them stay true while samples come and go.
import { COLLECTOR, IDLE, LOST, NATIVE, PROGRAM, SCRIPT } from "../columns";
import { Nodes } from "../nodes";
import { Func } from "../profile";
import type { Record } from "./protocol";

const kindsByName: { [kind: string]: number } = { native: NATIVE, idle: IDLE, collector: COLLECTOR, program: PROGRAM, lost: LOST };

export class Calls extends Nodes {
  readonly functions: Func[] = [];
  private readonly byKey = new Map<string, number>();

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
}
