// The core of the runtime: what stands in every instrumented page and worker,
// profiled or not. Inserted text reads the flag and calls capture when it is
// up; the rest (coordinator, profilers, sending) comes only with a profile and
// attaches itself as the recorder.
//
// Nothing here may ever reach the page: where something is missing, frozen or
// patched, the flag stays down and checks do nothing.

import { Entry, Exit, Loop, siteCount, type Site } from "./kinds";
import { defineProperty, showSources } from "./text";

/**
 * What turns pending ticks into a sample. It is called from inside the code
 * that is profiled, never while it is still running, and may throw. The third
 * argument is how many calls it is further from that code than usual.
 *
 * One that polls a clock leaves the flag up again, and so sees every check, or
 * only each so many (left).
 */
export type Recorder = (site: Site, ticks: number, deeper: number) => void;

/** What a realm keeps as `globalThis.__fieldprof`. */
export interface Checks {
  /** Later versions keep every name of the earlier ones. */
  readonly version: number;
  /** Word 0: pending ticks. Word 1: what checks write back (see transform/checks.go). */
  readonly flag: Int32Array;
  /** Null when nothing profiles: ticks are then dropped. */
  recorder: Recorder | null;
  /** Set by the first script that can record (sampler.ts). */
  tape?: unknown;
  /** Set by who sends (send/sender.ts) while the page may be gone any moment: traces wait for nothing then. */
  hurry?: boolean;
  /** Takes the pending ticks and hands them to the recorder. */
  capture(site: Site, deeper?: number): void;
  /** By site, how many checks until the recorder sees one. */
  readonly left: Int32Array;
  /** Checks as calls, for the compact form. */
  entry(): void;
  loop(): void;
  exit<T>(value: T): T;
}

declare global {
  var __fieldprof: Checks | undefined;
}

type Take = () => number;

/** The flag, and how its ticks are taken: from shared memory where there is some. */
function makeFlag(): [Int32Array, Take] {
  try {
    const { exchange } = Atomics;
    const shared = new Int32Array(new SharedArrayBuffer(8));
    if (exchange(shared, 0, 0) === 0) return [shared, () => exchange(shared, 0, 0)];
  } catch {
    // Not isolated, or no Atomics: only this thread can raise the flag.
  }
  const own = new Int32Array(2);
  return [
    own,
    () => {
      const ticks = own[0];
      own[0] = 0;
      return ticks;
    },
  ];
}

// The flag is a parameter: a const would be tested for its hole at each check.
function makeChecks(flag: Int32Array, take: Take): Checks {
  let recording = false;
  const left = new Int32Array(siteCount);
  const see = (site: Site, deeper: number) => {
    if (recording) return; // code that the recorder calls is not the page's work
    recording = true;
    try {
      const ticks = take();
      if (ticks) checks.recorder?.(site, ticks, deeper);
    } catch {
      // A recorder's trouble is not the page's.
    }
    recording = false;
  };
  // Where a clock is polled most checks end here. SpiderMonkey inlines nothing that
  // catches, and a call takes some ten times as long.
  const capture = (site: Site, deeper = 0) => {
    if (--left[site] <= 0) see(site, deeper);
  };
  const checks: Checks = {
    version: 1,
    flag,
    recorder: null,
    capture,
    left,
    // The write-back keeps engines from hoisting the load out of hot loops.
    entry() {
      if ((flag[1] = flag[0])) capture(Entry, 1);
    },
    loop() {
      if ((flag[1] = flag[0])) capture(Loop, 1);
    },
    exit(value) {
      if ((flag[1] = flag[0])) capture(Exit, 1);
      return value;
    },
  };
  return checks;
}

/**
 * The realm's checks, made by whichever script comes first. Where the name is
 * taken by something else, or the global object takes no more properties, the
 * caller gets checks of its own, which nobody can arm.
 */
function realmChecks(): Checks {
  try {
    const present = globalThis.__fieldprof;
    // An element with this name or id shows up here too, and one in it as its "version".
    if (present!.version > 0) return present!;
  } catch {
    // Nothing is there; or a getter that throws, or a frame of another site.
  }
  const checks = makeChecks(...makeFlag());
  showSources();
  try {
    // Elements are no properties of the global object itself: ours goes before them.
    if (!Object.getOwnPropertyDescriptor(globalThis, "__fieldprof")) defineProperty(globalThis, "__fieldprof", { value: checks, configurable: true });
  } catch {
    // A global object that throws where it is asked.
  }
  return checks;
}

export const checks = realmChecks();
