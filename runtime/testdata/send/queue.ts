// The queue: order, bounds, back-off, over a clock of its own.
import assert from 'node:assert/strict';
import type { Letter } from '../../src/send/envelope';
import type { Outcome } from '../../src/send/transport';

let time = 0;
let timers: { at: number; run: () => void; id: number }[] = [];
let ids = 0;
Object.assign(globalThis, {
  setTimeout: (run: () => void, wait: number) => (timers.push({ at: time + wait, run, id: ++ids }), ids),
  clearTimeout: (id: number) => (timers = timers.filter((timer) => timer.id !== id)),
});
Object.defineProperty(globalThis, 'navigator', { value: { onLine: true }, configurable: true });
const { Queue } = await import('../../src/send/queue');

const settle = async () => {
  for (let i = 0; i < 50; i++) await null;
};
/** Lets time go by up to the next timer; tells how long that was. */
async function next(): Promise<number> {
  timers.sort((a, b) => a.at - b.at);
  const timer = timers.shift()!;
  assert.ok(timer, 'nothing waits');
  const wait = timer.at - time;
  time = timer.at;
  timer.run();
  await settle();
  return wait;
}

const letter = (text: string): Letter => ({ text, bytes: text.length });
const down: Outcome = { done: false, again: true, why: 'down' };

function make(most: number, answers: (Outcome | ((text: string) => Outcome))[]) {
  const sent: string[] = [];
  const notes: string[] = [];
  const state = { allowed: true };
  const queue = new Queue(most, {
    allowed: async () => state.allowed,
    async post({ text }) {
      sent.push(text);
      const answer = answers.shift() ?? { done: true };
      return typeof answer === 'function' ? answer(text) : answer;
    },
    note: (text) => notes.push(text),
  });
  return { queue, sent, notes, state };
}

{
  const { queue, sent, notes } = make(10, []);
  for (const text of ['a', 'b', 'c']) queue.add(letter(text));
  await queue.empty();
  assert.deepEqual([sent, notes], [['a', 'b', 'c'], []], 'in order');
}
{
  // Each wait is within the doubled bound; the last failure drops the letter.
  const { queue, sent, notes } = make(10, Array(6).fill(down));
  queue.add(letter('a'));
  queue.add(letter('b'));
  await settle();
  for (let most = 1000, tries = 1; tries < 6; most *= 2, tries++) {
    assert.equal(sent.length, tries);
    const wait = await next();
    assert.ok(wait >= most / 2 && wait <= most, `the wait behind try ${tries} is ${wait}`);
  }
  assert.deepEqual(sent, ['a', 'a', 'a', 'a', 'a', 'a', 'b'], 'then the next one');
  assert.deepEqual(notes, ['a request was dropped: down']);
  assert.equal(timers.length, 0);
}
{
  const { queue, sent } = make(10, [{ ...down, wait: 20_000 } as Outcome]);
  queue.add(letter('a'));
  await settle();
  const wait = await next();
  assert.ok(wait >= 20_000 && wait <= 20_500, `the server asked for 20 s, it was ${wait}`);
  assert.deepEqual(sent, ['a', 'a']);
}
{
  const { queue, sent, notes } = make(10, [{ done: false, again: false, why: 'the server says 400' }]);
  queue.add(letter('a'));
  queue.add(letter('b'));
  await queue.empty();
  assert.deepEqual([sent, notes], [['a', 'b'], ['a request was dropped: the server says 400']]);
}
{
  const { queue, sent, notes } = make(2, [down]);
  queue.add(letter('a'));
  await settle();
  for (const text of ['b', 'c', 'd']) queue.add(letter(text));
  assert.equal(notes.length, 2, 'more than two');
  await next();
  await queue.empty();
  assert.deepEqual(sent, ['a', 'c', 'd'], 'the oldest go');
}
{
  // No network: nothing is tried until it is back.
  const navigator = { onLine: false };
  Object.defineProperty(globalThis, 'navigator', { value: navigator, configurable: true });
  const { queue, sent } = make(10, []);
  queue.add(letter('a'));
  await settle();
  assert.deepEqual(sent, []);
  navigator.onLine = true;
  queue.wake();
  await queue.empty();
  assert.deepEqual(sent, ['a']);
  assert.equal(timers.length, 0);
}
{
  const { queue, sent, notes, state } = make(10, [down]);
  queue.add(letter('a'));
  queue.add(letter('b'));
  await settle();
  state.allowed = false;
  await next();
  await queue.empty();
  assert.deepEqual([sent, notes], [['a'], ['what waits was dropped: it may not be sent']], 'asked again before each try');
}
