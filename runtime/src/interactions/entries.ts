// Entries of the performance timeline. The browser may lack a type of them, and the page
// may have replaced the observer.
import { builtin } from "../core/builtin";
import { guarded } from "./guard";

/** A source that runs. */
export interface Source {
  /** Looks at what has been recorded, but not delivered yet. */
  read?(): void;
  end(): void;
}

const PerformanceObserver = builtin("PerformanceObserver")!;

function supported(): readonly string[] {
  try {
    return [...PerformanceObserver.supportedEntryTypes].map(String);
  } catch {
    return [];
  }
}

const types = supported();

/** Whether the browser reports entries of a type. */
export const reports = (type: string) => types.includes(type);

/** Observes entries of a type, until its end. */
export function observeEntries<E extends PerformanceEntry>(type: string, see: (entry: E) => void, options: object = {}): Source | undefined {
  if (!reports(type)) return undefined;
  const seeOne = guarded(see);
  const seeAll = guarded((entries: () => PerformanceEntryList) => {
    for (const entry of entries()) seeOne(entry as E);
  });
  try {
    const observer = new PerformanceObserver((list) => seeAll(() => list.getEntries()));
    observer.observe({ type, ...options });
    const read = () => seeAll(() => observer.takeRecords());
    return {
      read,
      end() {
        read();
        observer.disconnect();
      },
    };
  } catch {
    return undefined; // not a PerformanceObserver
  }
}

/** Lets so many things through in a second, and counts the others. */
export class Rate {
  dropped = 0;
  private second = NaN;
  private count = 0;

  constructor(private readonly most: number) {}

  admits(time: number): boolean {
    const second = Math.floor(time / 1000);
    if (second !== this.second) this.count = 0;
    this.second = second;
    if (this.count++ < this.most) return true;
    this.dropped++;
    return false;
  }
}
