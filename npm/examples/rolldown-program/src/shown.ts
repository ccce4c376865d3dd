import type { Grid } from "./life";

export function shown(cells: Grid): string {
  return cells.map((row) => row.map((alive) => (alive ? "#" : ".")).join("")).join("\n");
}
