// Which of an engine's ticks count, and as what.
import { byCheck, GC } from "../core/kinds";
import type { Report } from "./engine";

/** The ticks of a sample that count. */
export interface Tick {
  time: number; // ms, at which they were taken
  weight: number;
  kind: number;
  stack: number;
}

/** Times from and to, in order. */
export type Windows = [number, number][];

/** The bounds of the ticks. */
export interface Bounds {
  from: number; // ticks due before it do not count
  runs: Windows; // when it was started; the last may not have ended
  interval: number; // the least average gap between two
  max: number; // how many with a stack; the latest ones
  own: Windows; // when the profiler itself was at work
}

/** Returns a function that looks up increasing times in windows. */
function inside(windows: Windows) {
  let next = 0;
  return (time: number) => {
    // By its skid, a tick may be due before the previous one.
    while (next > 0 && windows[next - 1][1] >= time) next--;
    while (next < windows.length && windows[next][1] < time) next++;
    return next < windows.length && windows[next][0] <= time;
  };
}

/** Returns a function that tells how much of the windows has passed, for increasing times. */
function covered(windows: Windows, since: number) {
  let [next, past] = [0, 0];
  const part = ([from, to]: [number, number], time: number) => Math.max(0, Math.min(to, time) - Math.max(from, since));
  return (time: number) => {
    while (next < windows.length && windows[next][1] < time) past += part(windows[next++], time);
    return next < windows.length ? past + part(windows[next], time) : past;
  };
}

/**
 * Removes ticks that do not belong to the program. The first tick of a sample was due its skid before
 * it was taken; the others are assumed to have come evenly since. A tick that was due
 * while the collector ran belongs to the collector. There are never more ticks than whole
 * intervals that the profiler ran: the clock keeps the rate only on average.
 */
export function count(report: Report, bounds: Bounds): Tick[] {
  const { time, skid, weight, kind, stack } = report.samples;
  const collected = inside(report.pauses);
  const own = inside(bounds.own);
  const ran = covered(bounds.runs, bounds.from);
  const ticks: Tick[] = [];
  let total = 0;
  for (let i = 0; i < time.length; i++) {
    let [stays, paused] = [0, 0];
    const allowed = Math.floor(ran(time[i]) / bounds.interval) - total;
    for (let n = 0; n < weight[i] && stays + paused < allowed; n++) {
      const due = time[i] - skid[i] * (1 - n / weight[i]);
      if (due < bounds.from || own(due)) continue;
      if (byCheck(kind[i]) && collected(due)) paused++;
      else stays++;
    }
    total += stays + paused;
    if (paused) ticks.push({ time: time[i], weight: paused, kind: GC, stack: -1 });
    if (stays) ticks.push({ time: time[i], weight: stays, kind: kind[i], stack: stack[i] });
  }
  return latest(ticks, bounds.max);
}

/** The last ticks, at most max of them with a stack. */
function latest(ticks: Tick[], max: number): Tick[] {
  let first = ticks.length;
  for (let room = max; first > 0 && room > 0; first--) {
    const tick = ticks[first - 1];
    if (!byCheck(tick.kind)) continue;
    tick.weight = Math.min(tick.weight, room);
    room -= tick.weight;
  }
  return ticks.slice(first);
}
