// The client over sockets and a clock that the test drives: order, acknowledgements,
// reconnecting, back-pressure, and drops.
import assert from 'node:assert/strict';
import { Client } from '../../src/live/client';
import type { Batch, Hello, Means, Socket, SocketEvents } from '../../src/live/protocol';

type Sent = { type: string; seq: number; acked: number; records: { id: number }[]; stacks: number[]; samples: Batch['samples']; dropped?: Batch['dropped']; profile: number; notes: string[]; ended?: boolean };

/** The other side: every socket that was opened, and the messages that came over it. */
function surroundings() {
  const sockets: { events: SocketEvents; sent: Sent[]; buffered: number; closed?: string }[] = [];
  const timers: { wait: number; task: () => void }[] = [];
  const told: unknown[] = [];
  let refuse = false;
  const means: Means = {
    connect(events) {
      if (refuse) throw new Error('a policy');
      const socket = { events, sent: [] as Sent[], buffered: 0, closed: undefined as string | undefined };
      sockets.push(socket);
      return {
        send: (text) => void socket.sent.push(JSON.parse(text)),
        close: (why) => void (socket.closed = why),
        buffered: () => socket.buffered,
      } satisfies Socket;
    },
    after: (wait, task) => void timers.push({ wait, task }),
  };
  const client = new Client(means, {
    hello: (say) => say({ type: 'hello', id: 'me' } as Hello),
    welcome: (welcome) => told.push(welcome),
    start: (order) => told.push(order),
    stop: () => told.push('stop'),
    lost: (why) => told.push(`lost ${why}`.trim()),
  });
  return {
    client,
    sockets,
    timers,
    told,
    last: () => sockets[sockets.length - 1],
    refuse: (yes: boolean) => (refuse = yes),
    hear: (message: object) => sockets[sockets.length - 1].events.message(JSON.stringify(message)),
    /** The numbers of the batches that went over a socket. */
    numbers: (i = sockets.length - 1) => sockets[i].sent.filter(({ type }) => type === 'batch').map(({ seq }) => seq),
    /** Runs the next timer and tells how long it waited. */
    next() {
      const { wait, task } = timers.shift()!;
      task();
      return wait;
    },
  };
}

let records = 2;
function batch(profile = 1, weight = 1, padding = ''): Batch {
  const account = { raised: 0, missed: 0, taken: 0, idle: 0, program: 0, lost: 0 };
  const samples = { delta: [1], stack: [0], weight: [weight], kind: [1], skid: [0] };
  return { profile, records: [{ id: records++, name: padding, file: '' }], stacks: [-1, records, 1, 1], samples, marks: [], account, notes: [] };
}

// Nothing is sent before the welcome; then all in order, once each.
{
  const { client, last, hear, numbers, told, sockets } = surroundings();
  client.add(batch());
  client.open();
  client.open();
  client.add(batch());
  assert.equal(sockets.length, 1, 'it is opened once');
  assert.deepEqual(last().sent, []);
  last().events.open();
  assert.deepEqual(last().sent.map(({ type, acked }) => [type, acked]), [['hello', 0]]);
  hear({ type: 'welcome', acked: 0, profile: 3 });
  assert.deepEqual(told, [{ type: 'welcome', acked: 0, profile: 3 }]);
  client.add(batch());
  assert.deepEqual(numbers(), [1, 2, 3]);
  hear({ type: 'start', profile: 4 });
  hear({ type: 'stop' });
  assert.deepEqual(told.slice(1), [{ type: 'start', profile: 4 }, 'stop']);
}

// A lost connection: batches that were not acknowledged are sent again, others are not.
{
  const { client, last, hear, numbers, timers, next, sockets } = surroundings();
  client.open();
  last().events.open();
  hear({ type: 'welcome', acked: 0 });
  for (let i = 0; i < 5; i++) client.add(batch());
  hear({ type: 'ack', seq: 2 });
  const texts = last().sent.slice(1);
  last().events.closed(1006);
  client.add(batch());
  assert.equal(timers[0].wait, 250);
  next();
  last().events.open();
  assert.equal(last().sent[0].acked, 2);
  hear({ type: 'welcome', acked: 4 }); // two acknowledgements were lost
  assert.deepEqual(numbers(), [5, 6]);
  assert.deepEqual(last().sent[1], texts[4], 'the same as before');
  hear({ type: 'ack', seq: 6 });
  // A server that forgot: batches are numbered on.
  last().events.closed(1006);
  next();
  last().events.open();
  assert.equal(last().sent[0].acked, 6);
  hear({ type: 'welcome', acked: 0, profile: 9 });
  client.add(batch(9));
  assert.deepEqual(numbers(), [7]);
  // Late events of old sockets are nothing.
  sockets[0].events.closed(1006);
  sockets[0].events.message('{"type":"ack","seq":7}');
  assert.equal(timers.length, 0);
}

// Pauses grow, and begin again after a welcome. A socket that cannot be made is one more try.
{
  const { client, last, hear, refuse, next, sockets, told } = surroundings();
  refuse(true);
  client.open();
  const waits = Array.from({ length: 7 }, next);
  assert.deepEqual(waits, [250, 500, 1000, 2000, 4000, 5000, 5000]);
  refuse(false);
  assert.equal(next(), 5000);
  last().events.open();
  hear({ type: 'welcome', acked: 0 });
  last().events.closed(1001);
  assert.equal(next(), 250);
  assert.equal(sockets.length, 2);
  // Refused for good: no more tries.
  last().events.open();
  hear({ type: 'refused', why: 'an old token' });
  last().events.closed(1008);
  next();
  assert.equal(sockets.length, 2);
  assert.deepEqual(told.slice(-2), ['lost an old token', 'lost']);
}

// A page that is left and comes back goes on; one that hears nothing connects again.
{
  const { client, last, hear, numbers, sockets, timers } = surroundings();
  client.open();
  last().events.open();
  hear({ type: 'welcome', acked: 0 });
  client.add(batch());
  client.close('left');
  assert.equal(sockets[0].closed, 'left');
  sockets[0].events.closed(1000);
  client.add(batch());
  assert.equal(timers.length, 0, 'it does not try');
  client.open();
  last().events.open();
  hear({ type: 'welcome', acked: 1 });
  assert.deepEqual(numbers(), [2]);
  for (let i = 0; i < 60; i++) client.add(batch());
  assert.equal(sockets.length, 2);
  client.add(batch());
  assert.equal(sockets.length, 3, 'nothing was heard for so long');
  last().events.open();
  hear({ type: 'welcome', acked: 2 });
  assert.deepEqual(numbers(), Array.from({ length: 61 }, (_, i) => i + 3));
}

// Back-pressure: a full socket gets nothing until it has room.
{
  const { client, last, hear, numbers, timers, next } = surroundings();
  client.open();
  last().events.open();
  hear({ type: 'welcome', acked: 0 });
  last().buffered = (1 << 20) + 1;
  client.add(batch());
  client.add(batch());
  assert.deepEqual([numbers(), timers.length], [[], 1]);
  next();
  assert.deepEqual([numbers(), timers.length], [[], 1]);
  last().buffered = 0;
  next();
  assert.deepEqual([numbers(), timers.length], [[1, 2], 0]);
  // A server that does not acknowledge gets some megabytes, no more.
  const large = 'x'.repeat(1 << 20);
  for (let i = 0; i < 8; i++) client.add(batch(1, 1, large));
  const n = numbers().length;
  assert.ok(n >= 5 && n <= 6, `${n} batches of a megabyte are unacknowledged`);
  hear({ type: 'ack', seq: 4 });
  assert.ok(numbers().length > n);
}

// Without a connection the oldest lose their samples, and every record and stack arrives.
for (const padding of ['', 'x'.repeat(60_000)]) {
  const { client, last, hear } = surroundings();
  records = 2;
  for (let i = 0; i < 1000; i++) client.add(batch(i < 10 ? 1 : 2, 2, padding));
  client.open();
  last().events.open();
  hear({ type: 'welcome', acked: 0 });
  for (let before = -1; before !== last().sent.length; ) {
    before = last().sent.length;
    hear({ type: 'ack', seq: last().sent.length - 1 });
  }
  const batches = last().sent.slice(1);
  assert.deepEqual(batches.map(({ seq }) => seq), batches.map((_, i) => i + 1), 'no gaps');
  assert.deepEqual(batches.flatMap(({ records }) => records.map(({ id }) => id)), Array.from({ length: 1000 }, (_, i) => i + 2));
  assert.equal(batches.flatMap(({ stacks }) => stacks).length, 4000);
  const sum = (of: (sent: Sent) => number) => batches.reduce((total, sent) => total + of(sent), 0);
  const kept = sum(({ samples }) => samples.stack.length);
  assert.equal(sum(({ dropped }) => dropped?.batches ?? 0), 1000 - kept);
  assert.equal(sum(({ dropped }) => dropped?.ticks ?? 0), 2000 - 2 * kept);
  assert.ok(padding ? kept < 80 : kept === 240, `${kept} are kept`);
  assert.ok(batches.every((sent) => JSON.stringify(sent).length < 1 << 20));
}
console.log('the client keeps its word');
