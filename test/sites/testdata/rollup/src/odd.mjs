import { even } from './even.mjs';

// Called before its own module's importer has run: a function that is hoisted.
export const started = even.name.length + first(3);

export function odd(n) {
  return n === 0 ? -1 : even(n - 1);
}

function first(n) {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += i;
  return sum;
}
