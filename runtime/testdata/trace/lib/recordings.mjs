// Recordings by hand, as the tests of this folder need them.
import { Tables } from '../../../src/stacks/intern';

export const tables = new Tables();

/** A stack from text, outermost first: "main@app.js:3:1 > work@app.js:9:5"; with a ^ before its line, a frame is V8's and says where its function begins. */
export function stackOf(text) {
  const frames = text ? text.split(' > ') : [];
  return tables.stack(
    frames
      .map((frame) => {
        const [, name, url, begins, line, column] = /^(.*?)@(.*):(\^?)(\d+):(\d+)$/.exec(frame);
        return tables.frame({ url, line: +line, column: +column, name }, begins ? +line : 0, begins ? +column : 0);
      })
      .reverse(),
  );
}

/** A recording of samples [time, stack, kind, weight, skid]. */
export function recordingOf(samples, more = {}) {
  return {
    interval: 10,
    started: 0,
    ended: 1000,
    length: samples.length,
    clock: 'shared',
    seed: 7,
    account: { raised: 1, missed: 2, taken: 3, idle: 4, program: 5, lost: 6 },
    late: [0.25, 0.5],
    notes: new Set(['something']),
    each(visit) {
      for (const [time, stack, kind, weight = 1, skid = 0] of samples) {
        visit(time, stack === null ? null : { error: null, hidden: 0, stack }, kind, weight, skid);
      }
    },
    ...more,
  };
}
