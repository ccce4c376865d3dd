import { known } from './routes.mjs';

export function describe(path) {
  return `${path} is one of ${known()}`;
}

export function sort([pivot, ...rest]) {
  if (pivot === undefined) return [];
  const low = [];
  const high = [];
  for (const item of rest) (item < pivot ? low : high).push(item);
  return [...sort(low), pivot, ...sort(high)];
}
