// Streams what a program records to the process that started it, which shows it to a
// server of live profiles: a numbered file of batches at a time, which a busy program can
// write as well as one that rests. On a disk without room the batches wait for the next file;
// the program, and the profile that it ends with, do not notice.
import fs from "node:fs";
import { writeJSON } from "../core/json";
import { epoch } from "../core/origin";
import { now } from "../core/real";
import { idly } from "../core/timers";
import { Encoder } from "../live/encoder";
import { record } from "../recording/reader";
import type { Recording } from "../recording/recording";
import type { Pace } from "./start";

/** Between files, in milliseconds. */
const every = 250;
/** Ticks that may wait for the next file. */
const room = 1 << 18;

const { renameSync, writeFileSync } = fs; // as they are now: the program may replace them

export class Stream {
  private readonly recording: Recording;
  private readonly encoder: Encoder;
  private began: { time: number; interval: number; clock: string } | undefined;
  private files = 0;
  private batches = 0;
  private last = now();
  private isWriting = false;
  /** The text of the next file, if that could not be written. */
  private unwritten = "";

  /** Begins to write files whose names begin with a path. */
  constructor(
    private readonly path: string,
    { interval, seed, clock }: Pace,
  ) {
    this.recording = record({ interval, seed, clock, limit: room, lines: true });
    this.encoder = new Encoder(this.recording, 1);
    this.began = { time: epoch() + this.recording.started, interval, clock: this.recording.clock };
    const wait = () => idly(tick, every);
    const tick = () => {
      this.look(now());
      wait();
    };
    wait();
  }

  /** Writes what is new if it is time to. */
  look(time: number) {
    if (time - this.last >= every) this.write();
  }

  /** Writes what is left. */
  end() {
    this.recording.stop();
    if (this.unwritten) this.write();
    this.write();
  }

  private write() {
    if (this.isWriting) return; // a check that the encoder's reading came across
    this.isWriting = true;
    // While there is no room, new samples wait in the recording, which is bounded.
    this.unwritten ||= this.next();
    const file = `${this.path}${this.files + 1}`;
    try {
      writeFileSync(`${file}.part`, this.unwritten);
      renameSync(`${file}.part`, file);
      this.files++;
      this.unwritten = "";
    } catch {
      // The next file has the same text.
    }
    this.last = now();
    this.isWriting = false;
  }

  private next(): string {
    const { began } = this;
    this.began = undefined;
    const batches = this.encoder.take(() => {});
    return batches.map((batch, i) => writeJSON({ type: "batch", seq: ++this.batches, ...batch, began: i ? undefined : began })).join("\n");
  }
}
