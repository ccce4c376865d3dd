export function primes(limit) {
  const found = [];
  for (let n = 2; n < limit; n++) {
    let prime = true;
    for (let i = 0; i < found.length; i++) if (n % found[i] === 0) prime = false;
    if (prime) found.push(n);
  }
  return found;
}
