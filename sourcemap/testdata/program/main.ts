// A small program of several files, to have real maps from a real bundler.
import { Shape, Square, total } from "./shapes";
import { greet } from "./text";

enum Level { Low = 1, High = 10 }

async function main(argument: string[]): Promise<void> {
  const shapes: Shape[] = argument.map((side, index) => new Square(Number(side), index));
  for (const { area } of shapes) {
    if (area > Level.High) console.log(greet("größer 🦒"), area);
    else console.log(`area ${area.toFixed(2)} of ${shapes.length}`);
  }
  await Promise.all(shapes.map(async (s) => s.describe?.()));
  console.log(total(...shapes));
}

main(["1", "2", "30"]).catch((problem: unknown) => console.error(problem));
