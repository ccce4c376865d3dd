// A recording that has ended, and where it is to go. Jobs are plain data: another
// thread does them, or another process when this one ends.
import type { RawRecording } from "../recording/parts";
import { Writer, type Disk } from "./rotation";
import { Finished, type About } from "./finished";
import type { Names } from "./names";
import { Outbox, type World } from "./delivery";
import { parcelsOf, type Origin } from "./parcels";
import { pprofOf } from "./pprof";
import type { PushTo } from "./variables";

export interface Job {
  readonly raw: RawRecording;
  readonly about: About;
  /** The file to write, if any. */
  readonly file?: string;
  /** Whose files are rotated, if any, and how many of them remain. */
  readonly rotate?: { readonly names: Names; readonly keep: number };
  /** Whether the file is reported on standard error. */
  readonly isSaid: boolean;
  readonly push?: PushTo;
  readonly origin: Origin;
}

/** Does jobs. */
export class Worker {
  private readonly writer: Writer;
  private readonly outbox: Outbox;

  constructor(
    private readonly world: World,
    disk?: Disk,
    outbox = new Outbox(world),
  ) {
    this.writer = new Writer((text) => world.say(text), disk);
    this.outbox = outbox;
  }

  /** Writes the file of a job, and puts into the outbox what is to be sent. Never rejects. */
  async do({ raw, about, file, rotate, isSaid, push, origin }: Job): Promise<void> {
    try {
      const finished = await Finished.of(raw, about);
      // Profiles that this one would replace may be removed before it is written, but never the last one.
      const makeRoom = () => !!rotate && this.writer.rotate(rotate.names, Math.max(1, rotate.keep - 1)) > 0;
      if (file && this.writer.write(file, await contents(finished, file), makeRoom)) {
        if (rotate) this.writer.rotate(rotate.names, rotate.keep);
        if (isSaid) this.world.say(`wrote ${file}`);
      }
      if (push) for (const parcel of parcelsOf(finished, push, origin)) this.outbox.add(parcel);
    } catch (error) {
      this.world.say(`the profile could not be made: ${error}`);
    }
  }

  /** Resolves when nothing is left to send. */
  sent(): Promise<void> {
    return this.outbox.empty();
  }
}

/** The profile in the format that the file's name has. */
async function contents(finished: Finished, file: string): Promise<string | Uint8Array> {
  if (file.endsWith(".cpuprofile")) return JSON.stringify(finished.cpuprofile());
  if (file.endsWith(".json")) return JSON.stringify(await finished.trace());
  return pprofOf(finished);
}
