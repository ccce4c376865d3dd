// Runs two builds of a program in turns and times each turn: the same in Node and in pages.
// The fields of an order are described with Order in invoke.go.

const { performance, setImmediate, MessageChannel } = globalThis;

/**
 * One turn of the event loop, in which messages and timers get their turn. In Node a channel would
 * keep the messages of the coordinator waiting: it takes a thousand of its own messages in one turn.
 */
export const rest = setImmediate ? () => new Promise(setImmediate) : makeRest();

function makeRest() {
  const { port1, port2 } = new MessageChannel();
  let wake;
  port1.onmessage = () => wake();
  return () => new Promise((resolve) => ((wake = resolve), port2.postMessage(0)));
}

/** Random numbers from 0 to 1, the same for the same seed. */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Records as a page does that makes a Profiler, but only while the checked build runs. */
function makeRecorder({ tape }, { interval, clock, seed }) {
  let session;
  return {
    begin: () => void (session = tape.begin({ interval, clock, seed, limit: 1e9 })),
    /** Returns the clock by which it recorded, if it did. */
    end() {
      const { recording } = session ?? {};
      session &&= tape.end(session);
      return recording?.clock;
    },
    attend(records) {
      tape.paused = !records;
      tape.update();
    },
    /** Reads the stacks that wait to be read in idle time: they are part of the cost. */
    read: () => session && tape.read?.(),
  };
}

/**
 * Follows an order. Builds are functions that take a number of rounds; meter reads the clocks.
 * Resolves to the turns, each [phase, build, block, ...what the clocks gained], how it recorded, and
 * whether the builds printed the same.
 */
export async function alternate(order, builds, checks, meter) {
  const random = generator(order.seed);
  const recorder = makeRecorder(checks, order);
  const said = [[], []];
  const turns = [];
  let warm;
  let { rounds } = order;
  let extra = 0; // planted work in each turn of the second build, in ns

  // The clock by which turns are as long as they should be: the processor's, if it is known.
  const own = meter()[0] ? 0 : 2;

  /** Works without a result. */
  function spin(ns) {
    for (const until = meter()[own] + ns; meter()[own] < until; );
  }

  async function turn(phase, block, build) {
    recorder.attend(build === 1);
    await rest();
    const lines = [];
    console.log = (...values) => lines.push(values.join(' '));
    const began = performance.now();
    const before = meter();
    builds[build](rounds);
    if (build === 1 && extra) spin(extra);
    if (build === 1) recorder.read();
    await rest();
    const after = meter();
    const took = performance.now() - began;
    said[build].push(lines.join('\n'));
    if (phase < 0) warm[build].push(after[own] - before[own]);
    else turns.push([phase, build, block, ...after.map((value, i) => value - before[i])]);
    return took;
  }

  /** A block is four turns in which neither build has the better places: ABBA or BAAB. */
  function pattern(only) {
    if (only !== undefined) return [only, only, only, only];
    const first = random() < 0.5 ? 0 : 1;
    return [first, 1 - first, 1 - first, first];
  }

  async function phase(number, { ms, blocks = 1, only = order.only }) {
    for (let block = 0, spent = 0; block < blocks || spent < ms; block++) {
      for (const build of pattern(only)) {
        const took = await turn(number, block, build);
        if (build === 1 || only !== undefined) spent += took;
      }
    }
  }

  /** Warms up, and returns the median time of a turn of the clean build, or of the only one, in ns. */
  async function warmUp(ms) {
    warm = [[], []];
    await phase(-1, { ms });
    const times = warm[order.only ?? 0].sort((a, b) => a - b);
    return times[times.length >> 1];
  }

  if (!rounds) {
    rounds = order.fewest;
    const took = await warmUp(order.warm / 2);
    rounds = Math.max(rounds, Math.round((1e6 * rounds * order.turn) / took));
  }
  const took = await warmUp(order.warm);
  extra = (order.extra || 0) * took;
  let recorded;
  for (const [i, each] of order.phases.entries()) {
    if (each.begin === 'record') recorder.begin();
    if (each.begin === 'stop') recorded = recorder.end();
    await phase(i, each);
  }
  recorded ??= recorder.end();
  const both = Math.min(said[0].length, said[1].length);
  const differs = said[0].slice(0, both).findIndex((text, i) => text !== said[1][i]);
  return { turns, rounds, clock: recorded, differs: differs >= 0, printed: said.flat().some((text) => text) };
}
