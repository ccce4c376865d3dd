// The list of stacks that frame() or events gave something to.
import type { Here } from "./engine";
import type { Attached, EventSummary } from "./results";
import { Statistics } from "./statistics";

/** How many stacks are kept, and names of events for each; beyond it the least recently touched are dropped. */
const STACKS = 1 << 16;
const NAMES = 1 << 10;

interface Happened {
  count: number;
  values: Statistics;
}

/** The data and events that one stack was given. */
interface Mark {
  readonly token: unknown;
  touched: number; // ms
  data?: object;
  events?: Map<string, Happened>;
}

/** The mark of events without a stack. */
const nowhere = { key: null, token: null };

export class Marks {
  private readonly marks = new Map<unknown, Mark>();

  /** The object of a stack: the same one for the same stack. */
  frame(here: Here | null, now: number): object {
    return (this.at(here, now).data ||= {});
  }

  event(here: Here | null, now: number, name: string, value?: number) {
    const mark = this.at(here, now);
    const events = (mark.events ||= new Map<string, Happened>());
    let event = events.get(name);
    if (!event) {
      if (events.size >= NAMES) return;
      events.set(name, (event = { count: 0, values: new Statistics() }));
    }
    event.count++;
    if (value !== undefined) event.values.insert(value);
  }

  clear() {
    this.marks.clear();
  }

  /** Forgets marks last touched before a time, by the engine's now. */
  forget(before: number) {
    this.marks.forEach((mark, key) => {
      if (mark.touched < before) this.marks.delete(key);
    });
  }

  get tokens(): unknown[] {
    return [...this.marks.values()].map((mark) => mark.token);
  }

  /** In the order of the tokens. */
  get attached(): Attached[] {
    return [...this.marks.values()].map(({ data, events }) => {
      const attached: Attached = {};
      if (data) attached.data = data;
      if (events) attached.events = summaries(events);
      return attached;
    });
  }

  private at(here: Here | null, now: number): Mark {
    const { key, token } = here || nowhere;
    let mark = this.marks.get(key);
    if (mark) this.marks.delete(key); // and to the end, as the latest
    else {
      mark = { token, touched: 0 };
      if (this.marks.size >= STACKS) this.marks.delete(this.marks.keys().next().value);
    }
    this.marks.set(key, mark);
    mark.touched = now;
    return mark;
  }
}

function summaries(events: Map<string, Happened>): Record<string, EventSummary> {
  const all: Record<string, EventSummary> = {};
  events.forEach(({ count, values }, name) => {
    // Not by assignment: a name may be __proto__.
    Object.defineProperty(all, name, { value: { ...values.toJSON(), count }, enumerable: true, configurable: true, writable: true });
  });
  return all;
}
