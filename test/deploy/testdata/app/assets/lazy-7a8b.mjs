import { primes } from './shared-5e6f.mjs';

export function largest(limit) {
  let best = 0;
  for (const p of primes(limit)) best = Math.max(best, p);
  return best;
}
