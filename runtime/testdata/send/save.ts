// Where data is dear nothing is recorded; a page without a Profiler, or whose
// Profiler refuses, is left alone.
import assert from 'node:assert/strict';
import { define } from '../globals';

let started = 0;
let refuses = false;
const sent: unknown[] = [];
class Profiler {
  constructor() {
    if (refuses) throw new Error('NotAllowedError');
    started++;
  }
  addEventListener() {}
  async stop() {
    return { resources: [], frames: [{ name: 'f' }], stacks: [{ frameId: 0 }], samples: [{ timestamp: 0, stackId: 0 }] };
  }
}
const connection = Object.assign(new EventTarget(), { saveData: true, effectiveType: '4g' });
define({
  navigator: { connection, onLine: true },
  location: new URL('https://a.example/shop?secret=1#part'),
  fetch: async (_: unknown, { body }: { body: string | Blob }) => (sent.push(JSON.parse(await new Response((body as Blob).stream().pipeThrough(new DecompressionStream('gzip'))).text())), new Response()),
});
const { send } = await import('../../src/entry/send');
const settle = () => new Promise((done) => setTimeout(done, 5));
const change = async (state: object) => {
  Object.assign(connection, state);
  connection.dispatchEvent(new Event('change'));
  await settle();
};

const notes: string[] = [];
const options = { url: '/profiles', onnote: (note: string) => notes.push(note) };

const without = send(options);
await change({ saveData: false });
assert.deepEqual([without.active, notes.length], [false, 1], 'there is no Profiler');
await without.stop();

define({ Profiler });
await change({ saveData: true });
const sending = send(options);
await settle();
assert.deepEqual([sending.active, started], [false, 0], 'data is saved');
await change({ saveData: false, effectiveType: '2g' });
assert.equal(started, 0, 'the network is slow');
await change({ effectiveType: 'slow-2g' });
assert.equal(started, 0, 'the network is slower');
await change({ effectiveType: '4g' });
assert.deepEqual([sending.active, started], [true, 1]);
await sending.flush();
assert.equal(sent.length, 1);
const { page, session, trace } = sent[0] as { page: string; session: string; trace: { samples: unknown[] } };
assert.deepEqual([page, session, trace.samples.length], ['https://a.example/shop', sending.session, 1], 'no query, no fragment');
await change({ saveData: true });
assert.equal(sending.active, false);
await sending.stop();
assert.equal(sent.length, 1, 'what was recorded until then is dropped');
assert.ok(notes.some((note) => note.includes('may not be sent')), notes.join());
await change({ saveData: false });
assert.equal(sending.active, false, 'stopped is stopped');

// The page's transform, and its name for itself.
const changed = send({ ...options, page: () => { throw new Error('no') }, transform: (trace) => ({ ...trace, frames: [{ name: 'g' }] }) });
await settle();
await changed.stop();
assert.deepEqual(((sent[1] as { trace: { frames: unknown } }).trace.frames), [{ name: 'g' }]);
const dropped = send({ ...options, transform: () => null });
await settle();
await dropped.stop();
assert.equal(sent.length, 2);

refuses = true;
const refused = send(options);
await settle();
assert.equal(refused.active, false);
assert.ok(notes.some((note) => note.includes('NotAllowedError')));
await refused.stop();

for (const odd of [undefined, null, {}, { url: 'ftp://x' }, { url: '/x', routes: 7 }, { url: '/x', onnote() { throw new Error('no') } }]) {
  const nothing = send(odd as never);
  nothing.update();
  await nothing.flush();
  await nothing.stop();
}
