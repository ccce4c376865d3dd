export interface Shape {
  readonly area: number;
  describe?(): string;
}

export class Square implements Shape {
  static count = 0;
  readonly #side: number;
  constructor(side: number, readonly index: number) {
    this.#side = side;
    Square.count++;
  }
  get area(): number {
    return this.#side ** 2;
  }
  describe(): string {
    return `□${this.index}: ${this.area}`;
  }
}

export function total(...shapes: Shape[]): number {
  let sum = 0;
  for (const shape of shapes) sum += shape.area;
  return sum;
}
