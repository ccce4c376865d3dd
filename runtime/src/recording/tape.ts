// The tape holds what was sampled until it is read, and knows which sessions record. Once
// there is a reader, it reads each entry at once: an Error that waits keeps all that its
// functions saw alive, and in a program that makes garbage the collector copies that again
// and again, which costs more than the reading.
import type { Pace, Source } from "../clock/source";
import { checks, type Recorder } from "../core/flag";
import type { SampleKind } from "../core/kinds";
import { now, random } from "../core/real";
import type { Capture } from "../stacks/stack";
import { loadParts } from "./parts";
import type { Entry, PageOptions, Session, Settings } from "./sessions";

const enum Limit {
  /** How many entries may wait for the file that reads them. */
  entries = 500,
}

export class Tape {
  entries: Entry[] = [];
  /** Looks at each entry that was read, once trace.js is loaded. */
  look?: (entry: Entry) => void;
  /** The page's options (api/install.ts). */
  readonly options: PageOptions = {};
  /** The cost of a check that finds the flag up and does not look, in milliseconds, if known. */
  cost?: number;
  /** Which checks poll, once trace.js is loaded. */
  pace?: Pace;
  /** Reads the tape for a few milliseconds, once trace.js or mozilla.js is loaded. */
  read?: () => void;
  /** The first copy of reader.ts that was loaded. */
  reader?: { attend(): void; recordingOf(session: Session): unknown; readings: object };
  sessions: readonly Session[] = [];
  /** Between ticks, in milliseconds; 0 while the clock is stopped. */
  interval = 0;
  /** The page is hidden: no ticks. */
  paused?: boolean;
  /** Globals that scripts of pages take for themselves, as they were at load (core/globals.ts). */
  readonly kept = { performance, Map, Set };

  constructor(
    /** Where ticks come from now. */
    public source: Source,
    private recorder: Recorder,
  ) {}

  begin(settings: Settings): Session {
    const seed = settings.seed ?? (random() * 1e9) | 0;
    const session: Session = { settings: { ...settings, seed }, started: now(), ended: NaN };
    checks.recorder = this.recorder;
    this.source.settle(); // what was due before it is not its own
    this.sessions = [...this.sessions, session];
    this.update();
    loadParts().then(
      (parts) => parts.attend(),
      () => {}, // the trace will report it
    );
    return session;
  }

  end(session: Session) {
    if (session.ended >= 0) return;
    this.source.settle(true);
    session.ended = now();
    this.sessions = this.sessions.filter((s) => s !== session);
    this.update();
  }

  /** Runs the clock for the sessions that record. */
  update() {
    const { sessions } = this;
    const interval = this.paused || !sessions[0] ? 0 : Math.min(...sessions.map((s) => s.settings.interval));
    if (interval !== this.interval) {
      this.source.settle();
      this.source.run((this.interval = interval));
    }
  }

  add(time: number, due: number, ticks: number, kind: SampleKind, capture: Capture | null, missed = 0) {
    const { entries, sessions, interval } = this;
    const waiting = entries.push({ time, due, ticks, missed, kind, capture, sessions, interval });
    if (this.read) this.read();
    else if (waiting > Limit.entries) entries.shift();
  }
}
