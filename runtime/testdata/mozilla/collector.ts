// Ticks that are due while the collector runs are its own, as soon as Node has
// told, a turn of the event loop later.
import { Profiler } from '../../src/entry/mozilla';

declare const gc: () => void;

const turn = () => new Promise((done) => setTimeout(done, 1));

async function collected(profiler: InstanceType<typeof Profiler>, turns: number): Promise<number> {
  const kept: object[] = [];
  for (let i = 0; i < turns && !profiler.results().gcSamples; i++) {
    for (let n = 0; n < 20000; n++) kept.push({ n });
    gc();
    await turn();
  }
  return profiler.results().gcSamples;
}

const profiler = new Profiler();
profiler.start(200);
if (!(await collected(profiler, 3000))) throw new Error('no gcSample');
profiler.stop();

const without = new Profiler({ gc: false });
without.start(200);
if (await collected(without, 20)) throw new Error('gcSamples that nobody asked for');
without.stop();
