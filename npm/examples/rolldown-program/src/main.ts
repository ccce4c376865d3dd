import { grid, step, type Grid } from "./life";

let cells: Grid = grid(64);
for (let i = 0; i < 60; i++) cells = step(cells);
const { shown } = await import("./shown");
console.log(shown(cells));
