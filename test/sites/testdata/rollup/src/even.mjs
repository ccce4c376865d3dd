import { odd, started } from './odd.mjs';

export function even(n) {
  return n === 0 ? started : odd(n - 1);
}

export const parity = new Map([['even', even]]);
