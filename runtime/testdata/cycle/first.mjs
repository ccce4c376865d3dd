// The first of two modules that import each other. The second one's body runs
// before this one's, and calls what is hoisted here.
import { log, second } from './second.mjs';

export function first(depth) {
  for (let i = 0; i < 2; i++) log.push(`first ${depth}`);
  return depth > 0 ? second(depth - 1) : 'done';
}

log.push(`body of first: ${second(1)}`);

export { log };
