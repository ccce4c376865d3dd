function isPrime(n: number): boolean {
  for (let d = 2; d * d <= n; d++) if (n % d === 0) return false;
  return n > 1;
}

onmessage = ({ data }: MessageEvent<number>) => {
  let count = 0;
  for (let n = 0; n < data; n++) if (isPrime(n)) count++;
  postMessage(`${count} primes below ${data}`);
};
