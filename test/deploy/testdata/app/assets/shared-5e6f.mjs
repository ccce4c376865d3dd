export function primes(limit) {
  const found = [];
  for (let n = 2; n < limit; n++) {
    let prime = true;
    for (const p of found) if (n % p === 0) prime = false;
    if (prime) found.push(n);
  }
  return found;
}
