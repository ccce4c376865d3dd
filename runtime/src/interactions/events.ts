// Interactions as Event Timing reports them.
import { builtin } from "../core/builtin";
import { observeEntries, reports, type Source } from "./entries";
import type { Event, Groups } from "./groups";
import type { Latencies } from "./latencies";
import { nameOf } from "./target";

/** PerformanceEventTiming. */
export interface Timing extends PerformanceEntry {
  processingStart: number;
  processingEnd: number;
  interactionId: number;
  target?: Node | null;
}

/** Shorter events are not reported, in milliseconds: the least that browsers allow. */
const least = 16;

const timing = builtin("PerformanceEventTiming")?.prototype;

/** Whether the browser says which events are one interaction. */
export const tellsInteractions = reports("event") && !!timing && "interactionId" in timing;

export function followEvents(groups: Groups, latencies?: Latencies, durationThreshold = least): Source[] {
  const see = (entry: Timing, isFirst: boolean) => {
    const event = eventOf(entry);
    const { id, duration } = event;
    latencies?.see(id, duration, isFirst);
    if (!id || duration < durationThreshold) return; // not an interaction: a move of the mouse, and the like
    groups.add({ ...event, target: nameOf(entry.target) });
  };
  const events = observeEntries<Timing>("event", (entry) => see(entry, false), { durationThreshold, buffered: true });
  const first = observeEntries<Timing>("first-input", (entry) => see(entry, true), { buffered: true });
  return [events, first].filter((source) => source !== undefined);
}

/** An entry as groups want it; its target is named by code that needs it. */
export function eventOf({ interactionId, name: type, startTime: start, duration, processingStart, processingEnd }: Timing): Event {
  return { id: +(interactionId ?? 0), type, target: undefined, start: +start, duration: +duration, from: +processingStart, to: +processingEnd };
}
