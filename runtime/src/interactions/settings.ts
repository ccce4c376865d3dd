// The options of observing, and their defaults.
import type { Slice, Slow } from "./slice";

export interface ObserveOptions {
  /** Is given each slice, in idle time, soon after what was slow has ended. */
  onslow?: (slice: Slice) => void;
  /** The least duration that is slow, in milliseconds; Infinity: never. */
  thresholds?: Partial<Record<Slow, number>>;
  /** Milliseconds between samples; default 10. */
  sampleInterval?: number;
  /** Seconds that the rolling profile keeps; default 30. */
  seconds?: number;
  /** Called with what is missing, and why. */
  onnote?: (text: string) => void;
  /** Called when the rolling profile has ended because it exceeded the page's maxOverhead: no more slices are made. */
  onover?: () => void;
}

const defaults: Record<Slow, number> = { interaction: 200, "long-frame": 200, "long-task": 200, load: 2500, navigation: 1000, mark: Infinity };

export interface Settings {
  readonly thresholds: Readonly<Record<Slow, number>>;
  readonly interval: number;
  /** Of the rolling profile, in milliseconds. */
  readonly length: number;
  onslow(slice: Slice): void;
  note(text: string): void;
  over(): void;
}

/** A number within bounds, or the default. */
function number(value: unknown, otherwise: number, least: number, most: number): number {
  return typeof value === "number" && value >= least ? Math.min(value, most) : otherwise;
}

/** Fills in the defaults. Errors of listeners are ignored. */
export function settle({ onslow, thresholds, sampleInterval, seconds, onnote, onover }: ObserveOptions): Settings {
  const all = { ...defaults };
  for (const what of Object.keys(all) as Slow[]) all[what] = number(thresholds?.[what], all[what], 0, Infinity);
  const safely =
    <T>(listener?: (value: T) => void) =>
    (value: T) => {
      try {
        listener?.(value);
      } catch {
        // The listener failed.
      }
    };
  return {
    thresholds: all,
    interval: number(sampleInterval, 10, 0.1, 1000),
    length: number(seconds, 30, 1, 600) * 1000,
    onslow: safely(onslow),
    note: safely(onnote),
    over: () => safely(onover)(undefined),
  };
}
