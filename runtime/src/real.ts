// What the runtime uses of the realm, as it was at load: pages replace what they
// like, and their tests replace clocks and timers.

const { performance, Error, MessageChannel } = globalThis;

/** Milliseconds since the time origin. */
export const now = performance.now.bind(performance);

export const real = {
  Error,
  MessageChannel,
  random: Math.random,
  describe: Object.getOwnPropertyDescriptor,
};
