// Runs until it is interrupted.
function isPrime(n) {
  for (let d = 2; d * d <= n; d++) if (n % d === 0) return false;
  return n > 1;
}

function countPrimes(limit) {
  let count = 0;
  for (let n = 0; n < limit; n++) if (isPrime(n)) count++;
  return count;
}

function step() {
  countPrimes(20000);
  setTimeout(step, 1);
}

step();
