// Turns what a recording has taken since the last time into batches. Records and stacks
// are sent once each, so this is trace/raw.ts that goes on.
import type { SampleKind } from "../core/kinds";
import type { Account, Recording } from "../recording/recording";
import type { Frame, Stack } from "../stacks/stack";
import { cleanURL } from "../trace/clean";
import { Trie } from "../trace/trie";
import { evaluated } from "../stacks/grammar";
import { firstID, type Batch } from "./protocol";

const enum Limit {
  /** Of a profile: as many as the server accepts. */
  stacks = 1 << 17,
  /** Frames that are looked up by identity, and stacks; then those by value must do. */
  remembered = 50_000,
  /** Of a batch, about, in characters. */
  batch = 1 << 18,
  name = 500,
  file = 1300,
  notes = 100,
}

/** Is called at each sample, apart from sending it; time and due are by performance.now(). */
export type See = (time: number, due: number, kind: SampleKind) => void;

export class Encoder {
  private readonly recordIDs = new Map<string, number>();
  private readonly frameIDs = new Map<string, number>();
  private readonly frames = new Map<Frame, number>();
  /** By frame: its record, line and column. */
  private readonly positions: number[] = [];
  private readonly trie = new Trie(
    (stack) => stack.parent,
    (frame) => this.frame(frame),
    Limit.stacks,
  );
  private notes = 0; // that were sent
  private latest = 0; // sample, in microseconds since the profile began
  private batch = this.empty();
  private size = 0;

  constructor(
    private readonly recording: Recording,
    private readonly profile: number,
  ) {}

  /** The news, in batches of bounded size: at least one, of which the last one has the account. */
  take(see: See): Batch[] {
    const batches: Batch[] = [];
    const { started } = this.recording;
    const account = this.recording.drain((time, capture, kind, weight, skid) => {
      see(time, time - skid, kind);
      const at = Math.max(this.latest, micros(time - started));
      const { samples } = this.batch;
      samples.delta.push(at - (samples.delta.length ? this.latest : 0));
      samples.stack.push(this.stack(capture && capture.stack));
      samples.weight.push(weight);
      samples.kind.push(kind);
      samples.skid.push(micros(skid));
      this.latest = at;
      this.size += 20;
      if (this.size >= Limit.batch) batches.push(this.next());
    });
    this.tellNotes();
    batches.push(this.next());
    for (const batch of batches) batch.account = shared(account);
    return batches;
  }

  private tellNotes() {
    const notes = [...this.recording.notes];
    this.batch.notes.push(...notes.slice(this.notes, Limit.notes).map((note) => note.slice(0, Limit.file)));
    this.notes = notes.length;
  }

  private next(): Batch {
    const { batch } = this;
    this.batch = this.empty();
    this.size = 0;
    return batch;
  }

  private empty(): Batch {
    const samples = { delta: [], stack: [], weight: [], kind: [], skid: [] };
    const account = { raised: 0, missed: 0, taken: 0, idle: 0, program: 0, lost: 0 };
    return { profile: this.profile, records: [], stacks: [], samples, marks: [], account, notes: [] };
  }

  /** The index of a stack. It and those of its callers are sent if they are new. */
  private stack(stack: Stack | null): number {
    const { trie, positions } = this;
    const known = trie.parents.length;
    const id = trie.of(stack);
    for (let i = known; i < trie.parents.length; i++) {
      const at = 3 * trie.owners[i];
      this.batch.stacks.push(trie.parents[i], positions[at], positions[at + 1], positions[at + 2]);
      this.size += 20;
    }
    if (trie.isFull) this.recording.notes.add(`stacks: there are more than ${Limit.stacks} different ones, so new ones lack their innermost calls`);
    if (this.frames.size > Limit.remembered) {
      this.frames.clear();
      trie.forget();
    }
    return id;
  }

  private frame(frame: Frame): number {
    let id = this.frames.get(frame);
    if (id === undefined) {
      id = this.position(frame);
      this.frames.set(frame, id);
    }
    return id;
  }

  private position({ name, url, line, column }: Frame): number {
    const key = `${line}:${column}:${name}\n${url}`;
    let id = this.frameIDs.get(key);
    if (id !== undefined) return id;
    if (this.trie.isFull) return -1;
    id = this.frameIDs.size;
    this.frameIDs.set(key, id);
    this.positions.push(this.record(name.slice(0, Limit.name), fileOf(url)), line, column);
    return id;
  }

  private record(name: string, file: string): number {
    const key = `${name}\n${file}`;
    let id = this.recordIDs.get(key);
    if (id === undefined) {
      this.recordIDs.set(key, (id = firstID + this.recordIDs.size));
      this.batch.records.push({ id, name, file });
      this.size += 40 + name.length + file.length;
    }
    return id;
  }
}

export function micros(milliseconds: number): number {
  return Math.max(0, Math.round(milliseconds * 1000));
}

/** A URL for the server that served it: with the query, which may say which version of a file it is. */
function fileOf(url: string): string {
  const query = url.endsWith(evaluated) ? undefined : /^https?:[^?#]*(\?[^#]*)/i.exec(url)?.[1];
  return (cleanURL(url) + (query ?? "")).slice(0, Limit.file);
}

/** A recording counts lost ticks among the others, the protocol does not. */
function shared({ raised, missed, taken, idle, program, lost }: Account): Account {
  const fewer = Math.min(taken, lost);
  const idler = Math.min(idle, lost - fewer);
  return { raised, missed, taken: taken - fewer, idle: idle - idler, program: program - (lost - fewer - idler), lost };
}
