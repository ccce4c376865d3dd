// Streams what a program records to the process that started it, which shows it to a
// server of live profiles: a numbered file of batches at a time, which a busy program can
// write as well as one that rests.
import { renameSync, writeFileSync } from "node:fs";
import { now } from "../core/real";
import { Encoder } from "../live/encoder";
import { record } from "../recording/reader";
import type { Recording } from "../recording/recording";
import type { Pace } from "./start";

/** Between files, in milliseconds. */
const every = 250;
/** Ticks that may wait for the next file. */
const room = 1 << 18;

const { setTimeout } = globalThis;

export class Stream {
  private readonly recording: Recording;
  private readonly encoder: Encoder;
  private began: { time: number; interval: number; clock: string } | undefined;
  private files = 0;
  private batches = 0;
  private last = now();
  private isWriting = false;

  /** Begins to write files whose names begin with a path. */
  constructor(
    private readonly path: string,
    { interval, seed, clock }: Pace,
  ) {
    this.recording = record({ interval, seed, clock, limit: room, lines: true });
    this.encoder = new Encoder(this.recording, 1);
    this.began = { time: performance.timeOrigin + this.recording.started, interval, clock: this.recording.clock };
    const wait = () => (setTimeout(tick, every) as { unref?(): void }).unref?.(); // it does not keep Node alive
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
    this.write();
  }

  private write() {
    if (this.isWriting) return; // a check that the encoder's reading came across
    this.isWriting = true;
    const { began } = this;
    this.began = undefined;
    const lines = this.encoder
      .take(() => {})
      .map((batch, i) => JSON.stringify({ type: "batch", seq: ++this.batches, ...batch, began: i ? undefined : began }));
    const file = `${this.path}${++this.files}`;
    writeFileSync(`${file}.part`, lines.join("\n"));
    renameSync(`${file}.part`, file);
    this.last = now();
    this.isWriting = false;
  }
}
