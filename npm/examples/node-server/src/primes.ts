/** The primes below a limit, by the sieve of Eratosthenes. */
export function primesBelow(limit: number): number[] {
  const composite = new Uint8Array(limit);
  const primes: number[] = [];
  for (let n = 2; n < limit; n++) {
    if (composite[n]) continue;
    primes.push(n);
    strike(composite, n);
  }
  return primes;
}

function strike(composite: Uint8Array, prime: number): void {
  for (let n = prime * prime; n < composite.length; n += prime) {
    composite[n] = 1;
  }
}
