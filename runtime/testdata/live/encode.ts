// Batches, cut wherever, are the recording; those of a page that never ends stay bounded.
import assert from 'node:assert/strict';
import type { SampleKind } from '../../src/core/kinds';
import { Encoder } from '../../src/live/encoder';
import type { Batch } from '../../src/live/protocol';
import { Recording } from '../../src/recording/recording';
import type { Entry, Session } from '../../src/recording/sessions';
import type { Frame, Stack } from '../../src/stacks/stack';
import { raw } from '../../src/trace/raw';

let seed = 7;
/** A whole number below a limit. */
const random = (below: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % below;

function makeRecording(limit = Infinity): Recording {
  const session: Session = { settings: { interval: 10, limit, seed: 1 }, started: 1000, ended: NaN };
  return new Recording(session, { end: () => {}, read: () => {} });
}

const frames: Frame[] = Array.from({ length: 60 }, (_, i) => ({
  url: ['http://a.example/x.js?v=1', 'http://a.example/x.js?v=2#part', 'http://u:p@a.example/y.js', '', 'data:text/javascript,secret'][i % 5],
  name: ['f', 'g', '', 'ƒ\ud800', '*'.repeat(700)][(i >> 2) % 5],
  line: 1 + (i % 7),
  column: i % 3,
}));
const some: Stack[] = [];
function someStack(): Stack | null {
  if (random(10) === 0) return null;
  // Also equal frames and stacks that are different objects: the reader's tables forget.
  const frame = random(4) ? frames[random(frames.length)] : { ...frames[random(frames.length)] };
  const stack: Stack = { frame, parent: random(5) && some.length ? some[random(some.length)] : null };
  some.push(stack);
  return stack;
}

let clock = 1000;
function entry(): Entry {
  clock += random(30_000) / 1000;
  const stack = someStack();
  const kind = (stack ? random(3) : 3 + random(2)) as SampleKind;
  return { time: clock, due: clock - random(3000) / 1000, ticks: 1 + random(3), missed: random(9) === 0 ? 2 : 0, kind, capture: stack && { error: null, hidden: 0, stack }, sessions: [], interval: 10 };
}

/** The content of batches, with nothing left to look up. */
function decode(batches: Batch[]) {
  const records = new Map<number, string>();
  const stacks: string[] = [];
  const samples: unknown[] = [];
  for (const batch of batches) {
    for (const { id, name, file } of batch.records) {
      assert.ok(!records.has(id) && id === records.size + 2, 'records come once, in order');
      records.set(id, `${name} ${file}`);
    }
    for (let i = 0; i < batch.stacks.length; i += 4) {
      const [parent, record, line, column] = batch.stacks.slice(i, i + 4);
      assert.ok(parent < stacks.length && records.has(record), 'what a stack needs comes first');
      const text = `${parent < 0 ? '' : stacks[parent] + ' < '}${records.get(record)} ${line}:${column}`;
      assert.ok(!stacks.includes(text), 'stacks come once');
      stacks.push(text);
    }
    const { delta, stack, weight, kind, skid } = batch.samples;
    let time = 0;
    for (let i = 0; i < delta.length; i++) {
      assert.ok(delta[i] >= 0 && Number.isInteger(delta[i]) && Number.isInteger(skid[i]));
      time += delta[i];
      samples.push([time, stack[i] < 0 ? null : stacks[stack[i]], weight[i], kind[i], skid[i]]);
    }
  }
  return samples;
}

for (let round = 0; round < 20; round++) {
  const [streamed, whole] = [makeRecording(), makeRecording()];
  const encoder = new Encoder(streamed, 4);
  const batches: Batch[] = [];
  const seen: number[] = [];
  clock = 1000;
  for (let i = random(400); i >= 0; i--) {
    const one = entry();
    for (const recording of [streamed, whole]) recording.take(one);
    if (random(1 + random(50)) === 0) batches.push(...encoder.take((time) => seen.push(time)));
  }
  streamed.notes.add('something was lost');
  batches.push(...encoder.take((time) => seen.push(time)));
  streamed.notes.add('and more');
  batches.push(...encoder.take(() => assert.fail()));
  assert.equal(streamed.length, 0, 'what was sent is forgotten');
  const { strings, frames, stacks, samples, account } = raw(whole);
  const files = new Map([['http://a.example/x.js', /^http:\/\/a\.example\/x\.js\?v=[12]$/], ['http://a.example/y.js', /^http:\/\/a\.example\/y\.js$/], ['', /^$/], ['data:text/javascript', /^data:text\/javascript$/]]);
  const spell = (id: number): string[] => {
    if (id < 0) return [];
    const [url, name, line, column] = frames.slice(4 * stacks[2 * id + 1], 4 * stacks[2 * id + 1] + 4);
    return [...spell(stacks[2 * id]), `${strings[name].slice(0, 500)} ${strings[url]} ${line}:${column}`];
  };
  const decoded = decode(batches) as [number, string | null, number, number, number][];
  assert.equal(decoded.length, samples.time.length);
  decoded.forEach(([time, stack, weight, kind, skid], i) => {
    assert.deepEqual([time, weight, kind, skid], [Math.round((samples.time[i] - 1000) * 1000), samples.weight[i], samples.kind[i], Math.round(samples.skid[i] * 1000)]);
    // Only queries differ: the server needs them.
    assert.deepEqual(stack ? stack.replace(/\?v=\d/g, '').split(' < ') : [], spell(samples.stack[i]));
  });
  for (const { records } of batches) {
    for (const { file } of records) assert.ok([...files.values()].some((form) => form.test(file)), file);
  }
  assert.deepEqual(batches.at(-1)!.account, account);
  assert.deepEqual(batches.flatMap(({ notes }) => notes), ['something was lost', 'and more']);
  assert.deepEqual(seen, samples.time);
}

// A recording that nobody took from for long: its batches are small all the same, and
// ticks without room are nobody else's.
{
  const recording = makeRecording(3000);
  const encoder = new Encoder(recording, 1);
  let raised = 0;
  clock = 1000;
  for (let i = 0; i < 40_000; i++) {
    const one = entry();
    raised += one.ticks;
    recording.take(one);
    if (i % 30_000 === 0) recording.drain(() => {});
  }
  const batches = encoder.take(() => {});
  assert.ok(batches.every((batch) => JSON.stringify(batch).length < 1 << 19));
  const { account } = batches.at(-1)!;
  assert.ok(account.lost > 0);
  assert.equal(account.raised, raised);
  assert.equal(account.taken + account.idle + account.program + account.lost, raised);
  recording.take(entry());
  assert.equal(encoder.take(() => {})[0].samples.stack.length, 1, 'there is room again');
}

// More stacks than a server accepts: new ones lose their innermost calls, and nobody else does.
{
  const recording = makeRecording();
  const encoder = new Encoder(recording, 1);
  const base: Stack = { frame: { url: 'http://a.example/', name: 'main', line: 1, column: 1 }, parent: null };
  let [stacks, records] = [0, 0];
  const notes: string[] = [];
  const count = (batches: Batch[]) => {
    for (const batch of batches) {
      stacks += batch.stacks.length / 4;
      records += batch.records.length;
      notes.push(...batch.notes);
    }
    return batches.at(-1)!.samples.stack;
  };
  for (let i = 0; i < 140_000; i++) {
    const stack = { frame: { url: 'http://a.example/', name: 'f' + i, line: i, column: 1 }, parent: base };
    recording.take({ ...entry(), kind: 1, capture: { error: null, hidden: 0, stack } });
    if (i % 5000 === 0) count(encoder.take(() => {}));
  }
  const last = count(encoder.take(() => {}));
  assert.deepEqual([stacks, records], [1 << 17, 1 << 17]);
  assert.deepEqual(notes.map((note) => note.split(':')[0]), ['stacks']);
  assert.equal(last.at(-1), 0, 'the caller');
}
console.log('batches are the recording');
