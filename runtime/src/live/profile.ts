// A profile that is streamed: a recording, the encoder that turns it into batches, and its marks.
import { now } from "../core/real";
import type { Recording } from "../recording/recording";
import { record } from "../recording/reader";
import { Encoder } from "./encoder";
import { Moments } from "./moments";
import type { Batch } from "./protocol";

/** Ticks that a recording may hold until they are taken. */
const room = 1 << 18;
/** A wait between batches that is worth a note, in milliseconds, and a difference between clocks. */
const longWait = 5000;
const longSleep = 2000;

const { document } = globalThis;
const { now: date } = Date;

/** How to record, by what a server said, or storage. */
export interface Order {
  profile?: number;
  interval?: number;
  clock?: string;
}

function intervalOf({ interval }: Order): number {
  return interval! >= 0.05 && interval! <= 60_000 ? +interval! : 10;
}

export class Profile {
  readonly interval: number;
  readonly clock: string;
  private readonly recording: Recording;
  private readonly encoder: Encoder;
  private readonly moments: Moments;
  private began: Batch["began"];
  private looked = lookAtClocks();

  constructor(
    readonly number: number,
    order: Order,
    canShare: boolean,
  ) {
    this.interval = intervalOf(order);
    this.clock = order.clock === "poll" || !canShare ? "poll" : "shared";
    this.recording = record({ interval: this.interval, limit: room, lines: true, clock: order.clock === "poll" ? "poll" : "auto" });
    const { started } = this.recording;
    this.began = { time: date() - (now() - started), interval: this.interval, clock: this.clock };
    this.encoder = new Encoder(this.recording, number);
    this.moments = new Moments(started);
  }

  /** Tells people what happened. */
  note(text: string) {
    this.recording.notes.add(text);
  }

  /** The news, if there is any. */
  take(): Batch[] {
    this.look();
    const batches = this.encode();
    const [{ began, samples, marks, notes }] = batches;
    return batches.length > 1 || began || samples.stack.length + marks.length + notes.length > 0 ? batches : [];
  }

  /** Ends it, and gives what is left. */
  end(): Batch[] {
    this.recording.stop();
    const batches = this.encode(() => this.moments.end());
    batches[batches.length - 1].ended = true;
    return batches;
  }

  private encode(then?: () => void): Batch[] {
    const batches = this.encoder.take((time, due, kind) => this.moments.tick(time, due, kind));
    then?.();
    batches[batches.length - 1].marks = this.moments.take();
    batches[0].began = this.began;
    this.began = undefined;
    return batches;
  }

  /** The page goes, or may stop at any moment: time that passes now is not lost. */
  rest() {
    this.looked.rests = true;
  }

  /** Notes where time was lost. */
  private look() {
    const { looked } = this;
    this.looked = lookAtClocks();
    const passed = this.looked.time - looked.time;
    const slept = this.looked.date - looked.date - passed;
    if (slept > longSleep) this.note(`time: the machine slept for ${seconds(slept)}, which this page's clock does not count`);
    if (passed < longWait || looked.rests || this.looked.rests) return;
    this.note(`time: nothing was sent for ${seconds(passed)}: one long task, a page that was frozen, or a machine that slept`);
  }
}

/** The times of the clocks, and whether the page is hidden: its timers then hardly run. */
function lookAtClocks() {
  return { time: now(), date: date(), rests: !!document?.hidden };
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
