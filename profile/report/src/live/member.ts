// One source in the panel's worker: its records and stacks, and what else it sent.
import { kinds, PROGRAM } from "../columns";
import { longer } from "../nodes";
import type { Calls } from "./calls";
import type { Held } from "./held";
import type { Account, Batch, Mark } from "./protocol";

/** A mark of a source. Times are milliseconds since the epoch. */
export interface Noted extends Mark {
  source: number;
  start: number;
  end: number;
}

/** The start of a profile and its interval, as far as they are known. */
export interface Beginning {
  time: number;
  interval: number;
}

const mostMarks = 2000;

export class Member {
  marks: Noted[] = [];
  account: Account = {};
  notes: string[] = [];
  /** All ticks so far by kind of function. */
  readonly ticks = new Float64Array(kinds);
  /** When its profile began, in milliseconds since the epoch. */
  began = 0;
  /** Its interval in microseconds; 0 before there is one. */
  interval = 0;
  dropped = { batches: 0, ticks: 0 };
  private readonly records = new Map<number, number>();
  private nodes = new Int32Array(1 << 8);
  private lines = new Int32Array(1 << 8);
  private stacks = 0;
  private profile = -1;

  constructor(
    readonly number: number,
    private readonly calls: Calls,
    private readonly held: Held,
  ) {}

  /** Takes a batch in; one that refers to what was never sent is an error. */
  add(batch: Batch, known: Beginning) {
    if (batch.profile !== this.profile) this.begin(batch, known);
    for (const record of batch.records ?? []) this.records.set(record.id, this.calls.functionOf(record));
    this.addStacks(batch.stacks ?? []);
    this.addSamples(batch);
    for (const mark of batch.marks ?? []) {
      const start = this.began + mark.time / 1000;
      this.marks.push({ ...mark, source: this.number, start, end: start + (mark.duration ?? 0) / 1000 });
    }
    if (this.marks.length > mostMarks) this.marks.splice(0, this.marks.length - mostMarks);
    if (batch.account) this.account = batch.account;
    this.notes.push(...(batch.notes ?? []));
    this.notes.splice(0, this.notes.length - 20);
    this.dropped.batches += batch.dropped?.batches ?? 0;
    this.dropped.ticks += batch.dropped?.ticks ?? 0;
  }

  /** A profile begins: all of the one before is forgotten. */
  private begin({ began, profile }: Batch, known: Beginning) {
    const { time, interval } = began ?? known;
    if (this.profile >= 0) this.forget();
    this.profile = profile;
    this.records.set(0, this.calls.functionOf({ id: 0, name: "(host)", file: "", kind: "native" }));
    this.records.set(1, this.calls.functionOf({ id: 1, name: "(garbage collector)", file: "", kind: "collector" }));
    if (time) this.held.epoch ||= time;
    this.began = time ? time - this.held.epoch : 0;
    this.interval = Math.max(1, Math.round((interval || 1) * 1000));
  }

  private addStacks(flat: number[]) {
    for (let i = 0; i + 3 < flat.length; i += 4) {
      const [caller, record, line] = [flat[i], flat[i + 1], flat[i + 2]];
      const fn = this.records.get(record);
      if (fn === undefined || !(caller < this.stacks)) throw new Error(`stack ${this.stacks} is of record ${record} and caller ${caller}, which were never sent`);
      if (this.stacks === this.nodes.length) [this.nodes, this.lines] = [longer(this.nodes), longer(this.lines)];
      this.nodes[this.stacks] = this.calls.nodeOf(caller < 0 ? -1 : this.nodes[caller], fn);
      this.lines[this.stacks++] = line;
    }
  }

  private addSamples({ samples }: Batch) {
    const [delta, stack, weight] = [samples?.delta ?? [], samples?.stack ?? [], samples?.weight ?? []];
    const { calls, held, began, interval, number: source } = this;
    for (let i = 0, clock = 0; i < stack.length; i++) {
      if (!(stack[i] < this.stacks)) throw new Error(`a sample is of stack ${stack[i]}, which was never sent`);
      clock += delta[i];
      const node = stack[i] < 0 ? -1 : this.nodes[stack[i]];
      const line = stack[i] < 0 ? 0 : this.lines[stack[i]];
      held.add({ time: began + clock / 1000, node, line, weight: Math.min(weight[i] * interval, 0x7fffffff), source });
      this.ticks[node < 0 ? PROGRAM : calls.functions[calls.fn[node]].kind] += weight[i];
    }
  }

  /** Forgets everything: the server has cleared it, or goes on with another profile. */
  forget() {
    this.profile = -1;
    this.records.clear();
    this.stacks = 0;
    this.held.clear((source) => source === this.number);
    this.marks = [];
    this.ticks.fill(0);
    this.account = {};
    this.notes = [];
    this.dropped = { batches: 0, ticks: 0 };
  }
}

export function common(a: number, b: number): number {
  while (b > 0) [a, b] = [b, a % b];
  return a;
}
