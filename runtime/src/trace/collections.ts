// The pauses of Node's garbage collector.
import { PerformanceObserver } from "node:perf_hooks";
import { byCheck, GC, Program } from "../core/kinds";
import type { RawRecording } from "../recording/parts";

/** How many pauses are remembered, the last ones: an hour of a program that makes much garbage. */
const most = 1 << 17;

/** The pauses of the collector since this was made, in ms by performance.now(). */
export class Collections {
  private pauses: [start: number, end: number][] = [];
  private observer = new PerformanceObserver((list) => this.add(list.getEntries()));

  constructor() {
    this.observer.observe({ entryTypes: ["gc"] });
  }

  private add(entries: PerformanceEntry[]) {
    for (const { startTime, duration } of entries) this.pauses.push([startTime, startTime + duration]);
    if (this.pauses.length > most) this.pauses.splice(0, this.pauses.length - most / 2);
  }

  /** The pauses so far. A program that never rests learns of its pauses only when it does. */
  known(): [start: number, end: number][] {
    this.add(this.observer.takeRecords());
    return this.pauses.sort((a, b) => a[0] - b[0]);
  }

  /** Forgets the pauses that ended before a time. */
  forget(before: number) {
    this.pauses = this.known().filter(([, end]) => end >= before);
  }

  /** Observes no more. */
  end() {
    this.observer.disconnect();
  }

  /**
   * Gives the collector the ticks of a recording that were due while it ran. A sample
   * of several ticks is split: those due during the pause are the collector's. Those that
   * no check took, since none ran before the thread rested, too.
   */
  mark(recording: RawRecording) {
    const pauses = this.known();
    const { time, stack, weight, kind, skid, labels } = recording.samples;
    const marked: RawRecording["samples"] = { time: [], stack: [], weight: [], kind: [], skid: [] };
    if (labels) marked.labels = [];
    let next = 0;
    let i = 0;
    const add = (at: number, on: number, ticks: number, as: number, late: number) => {
      marked.time.push(at);
      marked.stack.push(on);
      marked.weight.push(ticks);
      marked.kind.push(as);
      marked.skid.push(late);
      marked.labels?.push(labels![i]);
    };
    for (; i < time.length; i++) {
      const due = time[i] - skid[i];
      let ticks = weight[i];
      let late = skid[i];
      if (byCheck(kind[i]) || kind[i] === Program) {
        while (next < pauses.length && pauses[next][1] <= due) next++;
        if (next < pauses.length && pauses[next][0] <= due) {
          const end = Math.min(pauses[next][1], time[i]);
          const taken = Math.min(ticks, 1 + Math.floor((end - due) / recording.interval));
          add(end, -1, taken, GC, end - due);
          ticks -= taken;
          late = time[i] - end;
        }
      }
      if (ticks > 0) add(time[i], stack[i], ticks, kind[i], late);
    }
    recording.samples = marked;
  }
}

