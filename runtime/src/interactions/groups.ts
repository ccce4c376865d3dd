// Several events are one interaction: a click is pointerdown, pointerup and click, with
// others between. The longest event is the interaction; events of the same frame, which one
// picture answers, are taken together.
import { now } from "./guard";
import type { TraceMark } from "../recording/parts";
import type { Rate } from "./entries";
import { tidy, type Found, type See } from "./found";

/** An event of an interaction. Times are in milliseconds since the time origin. */
export interface Event {
  /** Of the interaction. */
  id: number;
  type: string;
  target: string | undefined;
  start: number;
  /** To the next picture. */
  duration: number;
  /** When handlers ran. */
  from: number;
  to: number;
  unknown?: string[];
}

/** How many interactions may still get events. */
const most = 20;
/** No event takes longer, in milliseconds. */
const longest = 1e9;
/** Events whose pictures are closer than this, in milliseconds, share one. */
const frame = 8;

interface Group extends Event {
  /** How long the handlers of the event of this type took. */
  handled: number;
  found: Found;
}

export class Groups {
  private readonly groups = new Map<number, Group>();

  constructor(
    private readonly rate: Rate,
    private readonly see: See,
  ) {}

  /** Counts an event that is not looked at. */
  drop() {
    this.rate.dropped++;
  }

  add(event: Event) {
    if (!(event.duration >= 0 && event.duration < longest) || !this.rate.admits(now())) return;
    const group = this.groups.get(event.id);
    const handled = event.to - event.from;
    let next = { ...event, handled };
    if (group) {
      if (Math.abs(endOf(group) - endOf(event)) <= frame) next = together(group, next);
      else if (event.duration <= group.duration) return;
    }
    const found = foundOf(next);
    this.groups.set(event.id, { ...next, found });
    if (this.groups.size > most) this.groups.delete(this.groups.keys().next().value!);
    this.see(found, group?.found);
  }
}

const endOf = ({ start, duration }: Event) => start + duration;

/** Two events that one picture answers; the one that was handled longer names them. */
function together<E extends Event & { handled: number }>(a: E, b: E): E {
  const main = b.handled > a.handled ? b : a;
  const start = Math.min(a.start, b.start);
  return { ...main, target: main.target ?? a.target ?? b.target, start, duration: Math.max(a.duration, b.duration), from: Math.min(a.from, b.from), to: Math.max(a.to, b.to) };
}

/** An event as an interaction of its own. */
export function foundOf({ type, target, start, duration, from, to, unknown = [] }: Event): Found {
  const end = start + duration;
  unknown = [...unknown];
  if (target === undefined) unknown.push("its target: the element is gone, or hidden from this page");
  const mark: TraceMark = { what: "interaction", name: type, target, time: start, duration };
  if (from >= start && to >= from && to <= end + frame) {
    mark.inputDelay = Math.min(from - start, duration);
    mark.processing = Math.min(to - from, duration - mark.inputDelay);
    mark.presentation = duration - mark.inputDelay - mark.processing;
  } else unknown.push("its parts: the times of its handlers contradict those of the event");
  return tidy(mark, unknown);
}
