export function* primes(limit) {
  candidates: for (let n = 2; n <= limit; n++) {
    for (let d = 2; d * d <= n; d++) if (n % d === 0) continue candidates;
    yield n;
  }
}
