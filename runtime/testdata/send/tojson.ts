// A toJSON that a page gives its arrays and objects does not change messages, and stays in place.
import assert from 'node:assert/strict';
import { Client } from '../../src/live/client';
import type { Means, Source } from '../../src/live/protocol';
import { pack, seal, type Envelope } from '../../src/send/envelope';

const envelope = {
  page: 'https://a.example/', notes: ['one'], labels: { plan: 'pro' },
  trace: { resources: ['https://a.example/x.js'], frames: [{ name: 'f', resourceId: 0 }], stacks: [{ frameId: 0 }], samples: [{ timestamp: 1, stackId: 0 }] },
} as unknown as Envelope;

/** The messages of a source to the server of a live profile. */
function hello() {
  const said: string[] = [];
  let open!: () => void;
  const means = { after() {}, connect: (to: { open(): void }) => ((open = to.open), { send: (text: string) => said.push(text), close() {} }) };
  const source = { hello: (give: (hello: object) => void) => give({ type: 'hello', names: ['a'] }), lost() {} };
  new Client(means as unknown as Means, source as unknown as Source).open();
  open();
  return said;
}

const sent = () => [...pack(seal(envelope), 1 << 20).letters.map((letter) => letter.text), ...hello()];
const clean = sent();
const hooks: Record<string, PropertyDescriptor> = {
  'of Prototype.js': { value(this: unknown[]) { return `[${this.join(', ')}]`; }, writable: true, enumerable: true, configurable: true },
  'an accessor': { get: () => () => 'text', configurable: true },
  'one that throws': { value() { throw new Error('no text'); }, writable: true },
};
for (const [label, hook] of Object.entries(hooks)) {
  for (const holder of [Array.prototype, Object.prototype]) {
    Object.defineProperty(holder, 'toJSON', hook);
    const before = Object.getOwnPropertyDescriptor(holder, 'toJSON');
    const got = sent();
    const after = Object.getOwnPropertyDescriptor(holder, 'toJSON');
    if (hook.configurable) delete (holder as { toJSON?: unknown }).toJSON;
    else Object.defineProperty(holder, 'toJSON', { value: undefined });
    assert.deepEqual(got, clean, label);
    assert.deepEqual(after, before, `${label}: it is not as it was`);
  }
}
