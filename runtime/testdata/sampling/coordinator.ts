// The coordinator obeys orders however fast they follow one another: profilers
// come and go while its worker stands between any two of its lines.
import assert from "node:assert/strict";
import { Coordinator } from "../../src/clock/coordinator";

const flag = new Int32Array(new SharedArrayBuffer(8));
const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));
const alive = setInterval(() => {}, 1000); // a coordinator keeps no process

const coordinator = await new Promise<Coordinator>((ready, failed) => {
  const starting: Coordinator = new Coordinator(flag, 1, { ready: () => ready(starting), ping() {}, failed });
  starting.start();
});
for (let round = 0; round < 200; round++) {
  for (let i = 0; i < 100; i++) {
    coordinator.run(0.05);
    for (let wait = (round * 3701 + i * 1109) % 10000; wait > 0; wait--) Atomics.load(flag, 0);
    coordinator.run(0);
  }
  coordinator.run(0.05);
  coordinator.moved();
  for (let i = 0; !coordinator.moved(); i++) {
    assert.ok(i < 5000, `silent after round ${round}`);
    await sleep(1);
  }
  coordinator.run(0);
}
coordinator.end();
clearInterval(alive);
