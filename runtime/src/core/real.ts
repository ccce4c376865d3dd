// Builtins as they were at load: pages replace what they like, and their tests
// replace clocks and timers.

export const { Event: RealEvent, Error: RealError, MessageChannel: RealChannel } = globalThis;
export const { random } = Math;

/** Milliseconds since the time origin. */
export const now = performance.now.bind(performance);
