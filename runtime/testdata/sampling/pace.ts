// Whose ticks are taken where checks, readings of the clock and samples take time: by
// programs that know what each of their functions takes.
import { idle, makeRandom, pass, setReading } from "./fakes";
import assert from "node:assert/strict";
import { checks } from "../../src/core/flag";
import type { Site } from "../../src/core/kinds";
import { setLoader } from "../../src/recording/parts";
import { record } from "../../src/recording/reader";
import { tape } from "../../src/recording/sampler";

setLoader(() => new Promise(() => {}));
const { flag } = checks;

// The simulated costs, in ms.
const reading = 40e-6;
const counting = 3e-6;
const glancing = 10e-6; // before and after the readings of a check that takes no tick
const looking = 20e-6; // before the first reading of one that does, and again before the second
const capture = 0.02;
const { source } = tape;
const { take } = source;
source.take = (...asked) => {
  pass(looking);
  return take(...asked);
};

/** The checks of a call: their site, how many, and the time of the code before each, in ms; and how often it is called. */
type Function = { site: Site; checks: number; ms: number; calls: number };

/** An interface: calls that take a microsecond, and some into native code that take most of the time. */
const page: Function[] = [
  { site: 2, checks: 3, ms: 1e-3, calls: 200 },
  { site: 5, checks: 2, ms: 0.3e-3, calls: 400 },
  { site: 0, checks: 1, ms: 3e-3, calls: 100 },
  { site: 2, checks: 1, ms: 0.15, calls: 6 },
  { site: 2, checks: 1, ms: 20e-3, calls: 10 },
];
/** A parser: nothing but short calls. */
const parser: Function[] = [
  { site: 5, checks: 8, ms: 30e-6, calls: 10 },
  { site: 2, checks: 1, ms: 300e-6, calls: 10 },
  { site: 1, checks: 4, ms: 80e-6, calls: 8 },
  { site: 2, checks: 1, ms: 1e-3, calls: 2 },
];
/** An interface with calls into native code that take longer than an interval. */
const editor: Function[] = [...page, { site: 2, checks: 1, ms: 25, calls: 0.05 }];
/** Tasks of a few calls, one of which is long. */
const tasks: Function[] = [
  { site: 2, checks: 5, ms: 2e-3, calls: 4 },
  { site: 2, checks: 1, ms: 0.4, calls: 1 },
  { site: 2, checks: 9, ms: 10e-3, calls: 1 },
];

/** The check of each function: their stacks tell them apart. */
const checking = [
  (site: Site) => (flag[1] = flag[0]) && flag.c.c(site),
  (site: Site) => (flag[1] = flag[0]) && flag.c.c(site),
  (site: Site) => (flag[1] = flag[0]) && flag.c.c(site),
  (site: Site) => (flag[1] = flag[0]) && flag.c.c(site),
  (site: Site) => (flag[1] = flag[0]) && flag.c.c(site),
  (site: Site) => (flag[1] = flag[0]) && flag.c.c(site),
];

function check(caller: number, site: Site) {
  pass(counting);
  checking[caller](site);
}

interface Outcome {
  /** How much of the profile agrees with what functions took: 1 is all of it. */
  overlap: number;
  /** Ticks, for each that was expected. */
  ticks: number;
  samples: number;
  /** The time that checks, readings and samples took, for each ms of the program. */
  overhead: number;
  shares: string;
}

/** Runs calls that are chosen at random for some ms of their own time; a task ends after so many calls. */
function run(functions: Function[], interval: number, ms: number, step: number, task = Infinity): Outcome {
  setReading(step, reading);
  const random = makeRandom();
  const calls = functions.reduce((sum, f) => sum + f.calls, 0);
  const truth = functions.map(() => 0);
  const found = functions.map(() => 0);
  let running = 0;
  let samples = 0;
  const see = ({ ticks, kind }: { ticks: number; kind: number }) => {
    if (kind > 2) return;
    pass(capture);
    found[running] += ticks;
    samples++;
  };
  tape.pace = undefined; // it knew the steps of another clock
  tape.cost = step ? 0 : counting;
  const recording = record({ interval, limit: 1, ring: true, clock: "poll", seed: 5, see });
  const { recorder, early } = checks;
  checks.early = (site, deeper) => {
    pass(glancing);
    const is = early!(site, deeper + 1);
    pass(glancing);
    return is;
  };
  checks.recorder = (...asked) => {
    pass(looking);
    recorder!(...asked);
  };
  let spent = 0;
  let waited = 0;
  const began = performance.now();
  for (let i = 0; spent < ms; i++) {
    if (i % task === 0) {
      const before = performance.now();
      idle(1);
      waited += performance.now() - before;
      check(0, 0); // code that runs before a task's first check counts as idle
    }
    let drawn = random() * calls;
    running = functions.findIndex((f) => (drawn -= f.calls) < 0);
    const f = functions[running];
    for (let n = 0; n < f.checks; n++) {
      const took = f.ms * (0.7 + 0.6 * random());
      pass(took);
      truth[running] += took;
      spent += took;
      check(running, f.site);
    }
  }
  const overhead = (performance.now() - began - waited) / spent - 1;
  recording.stop();
  idle(1000); // nothing records any more
  setReading(0, 0);
  const sum = found.reduce((a, b) => a + b);
  const shares = truth.map((t, i) => [t / spent, found[i] / sum]);
  return {
    overlap: shares.reduce((all, both) => all + Math.min(...both), 0),
    ticks: (sum * interval) / spent,
    samples,
    overhead,
    shares: shares.map((both) => both.map((share) => (100 * share).toFixed(0)).join("→")).join(", "),
  };
}

for (const [name, program, interval, ms, step, least, most] of [
  ["page", page, 10, 3000, 0, 0.8, 0.03],
  ["page", page, 10, 3000, 0.1, 0.88, 0.04],
  ["page", page, 10, 3000, 1, 0.88, 0.05],
  ["editor", editor, 10, 3000, 1, 0.8, 0.04],
  ["parser", parser, 1, 400, 0, 0.85, 0.14],
  ["parser", parser, 10, 3000, 0.1, 0.8, 0.07],
  ["parser", parser, 10, 8000, 1, 0.85, 0.17],
] as const) {
  const got = run(program, interval, ms, step);
  const what = `${name}, clock of ${step} ms: ${JSON.stringify(got)}`;
  console.log(what);
  assert.ok(got.overlap > least, what);
  assert.ok(got.overhead < most, what);
  assert.ok(Math.abs(got.ticks - 1) < 0.15, what);
}

// Sites that take turns do not put a tick off together: the time before it, in which each check reads, is as long as
// with one site, and strides are longer by as many sites as there are.
const alone = run([{ site: 0, checks: 4, ms: 60e-6, calls: 1 }], 10, 3000, 0);
const turns = run(([0, 1, 2, 3] as const).map((site) => ({ site, checks: 1, ms: 60e-6, calls: 1 })), 10, 3000, 0);
console.log({ alone: alone.overhead, turns: turns.overhead });
assert.ok(turns.overhead < 1.1 * alone.overhead, `${turns.overhead} with four sites, ${alone.overhead} with one`);

// Tasks that are shorter than a step of the clock have their ticks, too.
const got = run(tasks, 10, 12_000, 1, 6);
console.log(got);
assert.ok(got.overlap > 0.88 && Math.abs(got.ticks - 1) < 0.15, JSON.stringify(got));
