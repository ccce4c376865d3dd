import { primes } from './primes.mjs';

export const reply = (value) => {
  for (const prime of value) if (prime < 0) throw new Error('no prime');
  postMessage(value);
};

onmessage = ({ data }) => reply([...primes(data)]);
