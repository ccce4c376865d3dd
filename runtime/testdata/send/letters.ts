// Prints what sending makes of traces, whole and in parts: ours, and a browser's own.
import { pack, seal, type Envelope } from '../../src/send/envelope';
import type { ProfilerTrace } from '../../src/recording/parts';

function makeTrace(isOurs: boolean): ProfilerTrace {
  const trace: ProfilerTrace = { frames: [], resources: ['https://a.example/a.js?v=1', 'https://a.example/a.js?v=2'], samples: [], stacks: [] };
  for (let i = 0; i < 100; i++) {
    trace.frames.push({ column: 1, line: i + 1, name: `f${i}`, resourceId: i % 2 });
    trace.stacks.push(i ? { frameId: i, parentId: i - 1 } : { frameId: 0 });
    trace.samples.push({ stackId: i, timestamp: 10 * i, ...(isOurs && { weight: 1, kind: 'loop', skid: 0.5 }) });
  }
  const none = { count: 0, median: 0, p95: 0, max: 0 };
  const account = { raised: 100, missed: 0, taken: 100, idle: 0, program: 0, lost: 0 };
  if (isOurs) trace.fieldprof = { version: 1, clock: 'shared', interval: 10, seed: 1, account, late: none, skid: none, lost: ['something'] };
  return trace;
}

const letters = [true, false].flatMap((isOurs) =>
  [1e6, 4000].flatMap((maxBytes) => {
    const envelope: Envelope = {
      version: 1, session: 'a'.repeat(32), view: 'b'.repeat(32), page: 'https://a.example/', route: '/**', release: '1', rate: 0.5,
      chunk: 0, started: 1795275000000.5, origin: 1795274940000.1, notes: ['lost before'], trace: makeTrace(isOurs),
    };
    return pack(seal(envelope), maxBytes).letters.map(({ text }) => ({ isOurs, isPart: maxBytes < 1e6, text }));
  }),
);
console.log(JSON.stringify(letters));
