/** The cost of the cheapest way through a field, from corner to corner. */
export function least(size: number, seed: number): number {
  let row: number[] = [];
  for (let y = 0; y < size; y++) {
    const next: number[] = [];
    for (let x = 0; x < size; x++) {
      const above = y > 0 ? row[x] : Infinity;
      const left = x > 0 ? next[x - 1] : Infinity;
      const before = x + y === 0 ? 0 : Math.min(above, left);
      next.push(before + cost(x, y, seed));
    }
    row = next;
  }
  return row[size - 1];
}

function cost(x: number, y: number, seed: number): number {
  let state = x * 31 + y * 17 + seed;
  for (let i = 0; i < 40; i++) {
    state = (state * 1103 + 12345) % 65521;
  }
  return state % 10;
}
