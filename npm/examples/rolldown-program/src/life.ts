export type Grid = boolean[][];

/** A square field that looks the same each time. */
export function grid(size: number): Grid {
  let state = 7;
  return Array.from({ length: size }, () =>
    Array.from({ length: size }, () => {
      state = (state * 1103 + 12345) % 65521;
      return state % 3 === 0;
    }),
  );
}

/** The next generation of Conway's Life. */
export function step(cells: Grid): Grid {
  return cells.map((row, y) =>
    row.map((alive, x) => {
      const count = neighbours(cells, x, y);
      return count === 3 || (alive && count === 2);
    }),
  );
}

function neighbours(cells: Grid, x: number, y: number): number {
  let count = 0;
  for (let dy = -1; dy <= 1; dy++) {
    for (let dx = -1; dx <= 1; dx++) {
      if ((dx || dy) && cells[y + dy]?.[x + dx]) {
        count++;
      }
    }
  }
  return count;
}
