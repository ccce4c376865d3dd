// Where the times of performance.now() are on the calendar.
import { now } from "./real";

// As they are at load: fake timers replace both, and then the time origin is not a number.
const clock = performance;
const wallClock = Date.now;

/** The time origin of this realm, in milliseconds since 1970. */
export const timeOrigin = (): number => clock.timeOrigin;

/**
 * The milliseconds to add to performance.now() for the time of day as it is now. The time origin is
 * as it was when the realm began: since then the clock may have been set, or the machine have slept.
 */
export const epoch = (): number => wallClock() - now();
