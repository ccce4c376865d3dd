// A chunk that exceeded its budget is sent, and is the page's last.
import assert from 'node:assert/strict';
import { define, navigationAPI } from '../globals';

const tape = { options: {} as { maxOverhead?: number } };
let started = 0;
let fill = () => {};
let exceeded = false;
let lost: string[] = [];
interface Sent { chunk: number; notes?: string[]; trace: { fieldprof?: { lost: string[] } } }
const sent: Sent[] = [];
class Profiler {
  private readonly isDear = exceeded;
  constructor() {
    started++;
  }
  addEventListener(_: string, hear: () => void) {
    fill = hear;
  }
  async stop() {
    if (lost.length) return { resources: [], frames: [], stacks: [], samples: [], fieldprof: { version: 1, lost } };
    const overhead = { percent: 12, budget: 10, exceeded: true };
    const fieldprof = this.isDear ? { lost: ['recording ended after 4.0 s'], overhead } : { lost: [] };
    return { resources: [], frames: [{ name: 'f' }], stacks: [{ frameId: 0 }], samples: [{ timestamp: 0, stackId: 0 }], fieldprof };
  }
}
define({
  __fieldprof: { version: 1, tape },
  navigator: { onLine: true },
  navigation: navigationAPI(),
  location: new URL('https://a.example/in'),
  Profiler,
  fetch: async (_: unknown, { body }: { body: string }) => (sent.push(JSON.parse(body)), new Response()),
});
const { send } = await import('../../src/entry/send');
const notes: string[] = [];
const options = { maxOverhead: 10, url: '/profiles', compress: false, onnote: (note: string) => notes.push(note) };
const settle = () => new Promise((done) => setTimeout(done, 5));

// A page whose profiles stay below it goes on.
const cheap = send(options);
await settle();
assert.equal(tape.options.maxOverhead, 10);
fill();
await cheap.flush();
assert.ok(cheap.active && started > 2 && notes.length === 0);
await cheap.stop();
sent.length = started = 0;

exceeded = true;
tape.options.maxOverhead = 3; // the page's choice stays
const dear = send({ ...options, maxOverhead: 20 });
await settle();
assert.equal(tape.options.maxOverhead, 3);
assert.equal(started, 1);
exceeded = false;
fill(); // the valve has ended it, and whoever listens is told that nothing more comes
await settle();
assert.equal(dear.active, false);
dear.update();
await settle();
assert.equal(started, 2, 'the one that had begun meanwhile was the last');
assert.equal(dear.active, false);
await dear.stop();
assert.equal(sent.filter(({ trace }) => trace.fieldprof?.lost.length).length, 1);
assert.deepEqual(notes, ['profiling this page has ended: it costs more than maxOverhead']);

// A chunk without a trace says why.
notes.length = 0;
lost = ['samples: no trace.js'];
const empty = send(options);
await settle();
await empty.stop();
assert.deepEqual(notes, ['chunk 0 is empty: samples: no trace.js']);
