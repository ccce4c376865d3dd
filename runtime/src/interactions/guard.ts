// A page may replace whatever it likes before this is loaded: nothing here fails for that,
// and nothing that runs on the page's behalf throws into it.

/** A function for the platform to call: its errors go nowhere. */
export function guarded<A extends unknown[]>(task: (...args: A) => void): (...args: A) => void {
  return (...args) => {
    try {
      task(...args);
    } catch {
      // The page has changed what this needs.
    }
  };
}

const clock = performance;
const tell = clock?.now;

/** Milliseconds since the time origin, or 0 if the page has broken its clock. */
export function now(): number {
  try {
    const time = +tell!.call(clock!);
    return time >= 0 && time < 1e12 ? time : 0;
  } catch {
    return 0;
  }
}
