// When nothing records any more, the object that checks call is replaced by one of
// another class, and nothing keeps the old one: V8 forgets with it that checks called.
import assert from "node:assert/strict";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { checks } from "../../src/core/flag";
import { record } from "../../src/recording/reader";
import { tape } from "../../src/recording/sampler";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const soon = () => new Promise((done) => setTimeout(done, 10));
const { flag } = checks;

for (let round = 0; round < 3; round++) {
  const before = [new WeakRef(flag.c), new WeakRef(Object.getPrototypeOf(flag.c) as object)];
  let sampled = false;
  record({ interval: 1, limit: 1e6, clock: "poll", see: ({ capture }) => (sampled ||= !!capture) });
  while (!sampled) {
    if ((flag[1] = flag[0])) flag.c.c(0);
  }
  assert.equal(before[0].deref(), flag.c, "while it records, V8 keeps what it knows");
  tape.end(tape.sessions[0]);
  // A WeakRef that was asked keeps its object until the task ends.
  while (before.some((ref) => ref.deref())) {
    await soon();
    collect();
  }
}
