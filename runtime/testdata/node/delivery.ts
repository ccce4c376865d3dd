// Requests that fail are tried again a bounded number of times, at times that the test
// decides; the queue is bounded; trouble is told once.
import assert from "node:assert/strict";
import { Outbox, type World } from "../../src/node/delivery";

type Answer = number | "down" | { status: number; after: string };

/** A world in which waiting takes no time. */
function world(answers: Answer[]) {
  const waits: number[] = [];
  const said: string[] = [];
  const bodies: unknown[] = [];
  const made: World = {
    async fetch(_url, request) {
      bodies.push((request as { body: unknown }).body);
      assert.equal((request as { redirect: string }).redirect, "manual");
      const answer = answers.shift() ?? 200;
      if (answer === "down") throw Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNREFUSED" } });
      const { status, after } = typeof answer === "number" ? { status: answer, after: null } : answer;
      return { ok: status < 300, status, headers: { get: () => after }, text: async () => (status < 300 ? "" : "why") };
    },
    wait: async (milliseconds) => void waits.push(milliseconds),
    random: () => 1,
    say: (text) => void said.push(text),
  };
  return { made, waits, said, bodies };
}

const parcel = (body: string) => ({ url: "http://host/push?key=secret", headers: {}, body });

async function tries(answers: Answer[], ...settings: number[]) {
  const w = world(answers);
  const outbox = new Outbox(w.made, ...settings);
  outbox.add(parcel("a"));
  outbox.add(parcel("b"));
  await outbox.empty();
  return w;
}

{
  const { waits, said, bodies } = await tries(["down", "down", 503]);
  assert.deepEqual(bodies, ["a", "a", "a", "a", "b"]);
  assert.deepEqual(waits, [1000, 2000, 4000]);
  assert.deepEqual(said, [
    "a profile could not be sent to http://host/push: ECONNREFUSED",
    "a profile could not be sent to http://host/push: the answer is 503: why",
    "profiles are sent again",
  ]);
}
{
  const { waits, bodies } = await tries(Array(6).fill("down"));
  assert.deepEqual(bodies, ["a", "a", "a", "a", "a", "a", "b"], "the seventh time would be too much");
  assert.deepEqual(waits, [1000, 2000, 4000, 8000, 16000]);
}
assert.deepEqual((await tries([401])).bodies, ["a", "b"], "what is refused would be refused again");
assert.deepEqual((await tries([{ status: 429, after: "30" }])).waits, [30_000], "the server asked for it");
assert.deepEqual((await tries([{ status: 429, after: "9999999" }])).waits, [600_000], "but not for days");
assert.deepEqual((await tries([302])).bodies, ["a", "b"], "a redirect is not followed");
assert.deepEqual((await tries(["down"], 1)).bodies, ["a"], "nobody waits for a server that is down");
{
  const w = world([]);
  const outbox = new Outbox(w.made);
  for (let i = 0; i < 70; i++) outbox.add(parcel(String(i)));
  await outbox.empty();
  assert.deepEqual([w.bodies.length, w.bodies[0], w.bodies[1], w.bodies[64]], [65, "0", "6", "69"], "the oldest are dropped");
  assert.match(w.said[0], /more than 64 profiles wait/);
}
{
  // An outage is told in a few lines, though the server says something else each time …
  const w = world(Array.from({ length: 60 }, (_, i) => 500 + i));
  const outbox = new Outbox(w.made);
  for (let i = 0; i < 11; i++) outbox.add(parcel(String(i)));
  await outbox.empty();
  assert.equal(w.bodies.length, 61);
  assert.deepEqual(w.said.map((line) => /answer is \d+|sent again/.exec(line)?.[0]), ["answer is 500", "answer is 501", "answer is 502", "answer is 503", "answer is 504", "sent again"]);
}
{
  // … and though profiles go on being dropped meanwhile.
  const w = world(Array(30).fill("down"));
  let minutes = 30;
  const fetch: World["fetch"] = async (url, request) => {
    await null;
    if (minutes-- > 0) outbox.add(parcel("next"));
    return w.made.fetch(url, request);
  };
  const outbox = new Outbox({ ...w.made, fetch });
  for (let i = 0; i < 70; i++) outbox.add(parcel(String(i)));
  await outbox.empty();
  assert.deepEqual(w.said.map((line) => line.split(":")[0]), ["more than 64 profiles wait to be sent", "a profile could not be sent to http", "profiles are sent again"]);
}
