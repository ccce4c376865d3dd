// Interactions as Event Timing reports them.
import { observeEntries, reports, type Source } from "./entries";
import type { Groups } from "./groups";
import type { Latencies } from "./latencies";
import { nameOf } from "./target";

/** PerformanceEventTiming. */
interface Timing extends PerformanceEntry {
  processingStart: number;
  processingEnd: number;
  interactionId: number;
  target?: Node | null;
}

/** Shorter events are not reported, in milliseconds: the least that browsers allow. */
const least = 16;

const { PerformanceEventTiming } = globalThis as { PerformanceEventTiming?: { prototype: object } };

/** Whether the browser says which events are one interaction. */
export const tellsInteractions = reports("event") && !!PerformanceEventTiming && "interactionId" in PerformanceEventTiming.prototype;

export function followEvents(groups: Groups, latencies?: Latencies, durationThreshold = least): Source[] {
  const see = (entry: Timing, isFirst: boolean) => {
    const { interactionId: id, duration, startTime: start } = entry;
    latencies?.see(id, duration, isFirst);
    if (!id || duration < durationThreshold) return; // not an interaction: a move of the mouse, and the like
    groups.add({ id, type: entry.name, target: nameOf(entry.target), start, duration, from: entry.processingStart, to: entry.processingEnd });
  };
  const events = observeEntries<Timing>("event", (entry) => see(entry, false), { durationThreshold, buffered: true });
  const first = observeEntries<Timing>("first-input", (entry) => see(entry, true), { buffered: true });
  return [events, first].filter((source) => source !== undefined);
}
