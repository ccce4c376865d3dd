import { first } from './first.mjs';

export const log = [];

export function second(depth) {
  for (let i = 0; i < 2; i++) log.push(`second ${depth}`);
  return depth > 0 ? first(depth - 1) : 'done';
}

log.push(`body of second: ${first(2)}`);
