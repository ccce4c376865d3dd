// The core of the runtime, which every instrumented page and worker has, profiled
// or not. Inserted text reads the flag and calls capture when it is up; the rest
// (coordinator, profilers, sending) is loaded with the first profile and attaches
// itself as the recorder.
//
// No failure here may ever reach the page: where something is missing, frozen or
// patched, the flag stays down and checks do nothing.

import { Entry, Exit, Loop, siteCount, type Site } from "./kinds";
import { defineProperty, describe, showSources } from "./text";

/**
 * Turns pending ticks into a sample. It is called from inside the code that is
 * profiled, never recursively, and may throw. The third argument is the number of
 * additional calls between that code and the recorder.
 *
 * A recorder that polls a clock leaves the flag up, and so sees every check that
 * `left` does not skip.
 */
export type Recorder = (site: Site, ticks: number, deeper: number) => void;

/** The object that a realm keeps as `globalThis.__fieldprof`. */
export interface Checks {
  /** Later versions keep all names of earlier ones. */
  readonly version: number;
  readonly flag: Flag;
  /** Null while nothing profiles: ticks are dropped. */
  recorder: Recorder | null;
  /** Set by the first script that can record (sampler.ts). */
  tape?: unknown;
  /** Set by trace.js: whether a check that `left` does not skip has no tick to take. False unless a clock is polled. */
  early?(site: Site, deeper: number): boolean;
  /** Set by send/sender.ts while the page may go at any moment: traces then wait for nothing. */
  hurry?: boolean;
  /** Set while the realm streams its profile (live/moments.ts): receives what Mozilla's frame() and event() attach to stacks. */
  attach?(what: "frame" | "mark", name: string, data: unknown): void;
  /** Set by live.js, so that a second copy does nothing. */
  live?: boolean;
  /** The labels of what runs, in Node (node/labels.ts). */
  labels?: unknown;
  /** Set once Worker is wrapped (api/wrap.ts): the originals, for workers of our own. */
  workers?: object;
  /** By site, how many checks until the recorder sees one. */
  readonly left: Int32Array;
  /** Checks as calls, for the compact form. */
  entry(): void;
  loop(): void;
  exit<T>(value: T): T;
}

/** Word 0: pending ticks. Word 1: the value that checks write back (see transform/checks.go). */
export interface Flag extends Int32Array {
  /** Checks call flag.c.c(site), with one name for both the flag and the function. */
  c: Capture;
}

/**
 * Holds the function that checks call, and is the only object of its class. When
 * recording ends, another replaces it (recording/reader.ts), which makes checks as cheap
 * as they were before the first sample. V8 compiles a branch that has not run as an exit
 * to its interpreter. Once a check has called the function, its branch stays in the code,
 * and the code's knowledge of memory ends there: functions that allocate take several times
 * as long. But V8 keeps what it saw of the call by the object's hidden class alone. Once
 * that is collected, the branch again counts as one that has not run.
 */
export interface Capture {
  /** Takes the pending ticks, and passes them to the recorder. */
  c(site: Site, deeper?: number): void;
}

declare global {
  var __fieldprof: Checks | undefined;
}

type Take = () => number;

/** The flag, in shared memory if possible, and a function that takes its ticks. */
function makeFlag(): [Flag, Take] {
  try {
    const { exchange } = Atomics;
    const shared = new Int32Array(new SharedArrayBuffer(8)) as Flag;
    const take = () => exchange(shared, 0, 0);
    if (!take()) return [shared, take];
  } catch {
    // Not isolated, or no Atomics: only this thread can raise the flag.
  }
  const own = new Int32Array(2) as Flag;
  return [own, () => own[0] - (own[0] = 0)]; // the left operand is read first
}

// The flag is a parameter: a const would be tested for its hole at each check.
function makeChecks(flag: Flag, take: Take): Checks {
  let recording = false;
  const left = new Int32Array(siteCount);
  const see = (site: Site, deeper: number) => {
    if (recording) return; // functions that the recorder calls are not the page's work
    recording = true;
    try {
      const ticks = !checks.early?.(site, deeper) && take();
      if (ticks) checks.recorder?.(site, ticks, deeper);
    } catch {
      // The error of a recorder does not concern the page.
    }
    recording = false;
  };
  // While a clock is polled most checks end here. SpiderMonkey does not inline a
  // function that catches, and a call takes some ten times as long.
  flag.c = new (class {
    c(site: Site, deeper = 0) {
      if (--left[site] <= 0) see(site, deeper);
    }
  })();
  const checks: Checks = {
    version: 1,
    flag,
    recorder: null,
    left,
    // The write-back keeps engines from hoisting the load out of hot loops.
    entry() {
      if ((flag[1] = flag[0])) flag.c.c(Entry, 1);
    },
    loop() {
      if ((flag[1] = flag[0])) flag.c.c(Loop, 1);
    },
    exit(value) {
      if ((flag[1] = flag[0])) flag.c.c(Exit, 1);
      return value;
    },
  };
  return checks;
}

/**
 * The realm's checks, made by the first script that asks. If the name is taken by
 * something else, or the global object is frozen, the caller gets checks of its
 * own, which nothing can arm.
 */
function realmChecks(): Checks {
  try {
    const present = globalThis.__fieldprof;
    // An element with this name or id appears here too, and one inside it as its "version".
    if (present!.version > 0) return present!;
  } catch {
    // It is missing, a getter that throws, or a frame of another site.
  }
  const checks = makeChecks(...makeFlag());
  try {
    // Elements are not own properties of the global object: ours takes precedence.
    if (!describe(globalThis, "__fieldprof")) {
      // A page may have given all objects what would be a getter here.
      defineProperty(globalThis, "__fieldprof", { __proto__: null, value: checks, configurable: true } as PropertyDescriptor);
    }
    showSources();
  } catch {
    // A global object that throws on access.
  }
  return checks;
}

export const checks = realmChecks();
