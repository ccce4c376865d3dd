// What a chart draws: boxes in layers, a layer for each depth of calls. In a layer
// boxes run from left to right and do not overlap.

export interface Box {
  depth: number;
  /** What tells it from the others of its layer. */
  i: number;
  start: number;
  end: number;
  fn: number;
}

/** What is in sight: places from one to another, a pixel each `step`, and the layers from the first to before the last. */
export interface Sight {
  from: number;
  to: number;
  step: number;
  first: number;
  past: number;
}

export type Put = (depth: number, start: number, end: number, fn: number) => void;

export interface Layers {
  /** How many there are, and the width of all. */
  readonly depth: number;
  readonly width: number;
  /** Gives the boxes in sight; of those that end within the same pixel the first is enough. */
  draw(sight: Sight, put: Put): void;
  /** The box at a place, or the first that begins less than a step after it. */
  at(depth: number, place: number, step: number): Box | null;
  /** The box after a box, or before it. */
  neighbour(box: Box, by: 1 | -1): Box | null;
}
