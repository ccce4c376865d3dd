// Shared by the programs: a digest of anything, and numbers that look random and
// are the same in every run.
import { createHash } from 'node:crypto';

export function digest(value) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? `${v}n` : v));
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

export function numbers(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >> 8) % below;
  };
}

export function attempt(f) {
  try {
    return f();
  } catch (e) {
    return `${e.name}: ${e.message}`;
  }
}
