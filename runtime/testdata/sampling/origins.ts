// The coordinator's clock may differ from the realm's: when ticks were due is told by the realm's.
import assert from "node:assert/strict";
import { Coordinator } from "../../src/clock/coordinator";

const flag = new Int32Array(new SharedArrayBuffer(8));
const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));
const { timeOrigin } = performance;

/** How long after a tick was due its ping is heard, by the coordinator's due, at best. */
async function skid(aheadBy: number): Promise<number> {
  Object.defineProperty(performance, "timeOrigin", { value: timeOrigin + aheadBy, configurable: true });
  let least = Infinity;
  let pings = 0;
  const coordinator: Coordinator = new Coordinator(flag, 1, {
    ready: () => coordinator.run(1),
    ping() {
      if (++pings > 1) least = Math.min(least, Math.abs(performance.now() - coordinator.due)); // the first tells the clock
      coordinator.clear();
    },
    failed: assert.fail,
  });
  coordinator.start();
  while (pings < 50) await sleep(1);
  coordinator.end();
  return least;
}

const hour = 3600_000;
for (const aheadBy of [0, 1000, -1000, hour, -hour]) {
  const off = await skid(aheadBy);
  assert.ok(off < 500, `${aheadBy} ms ahead: a tick was due ${off} ms off`);
}
