// The content of a chart: boxes in layers, one layer per depth of calls. In a layer
// boxes run from left to right and do not overlap.

export interface Box {
  depth: number;
  /** Distinguishes it from the others of its layer. */
  i: number;
  start: number;
  end: number;
  fn: number;
}

/** The visible part: the range of places, `step` per pixel, and the layers from `first` up to but not including `past`. */
export interface Sight {
  from: number;
  to: number;
  step: number;
  first: number;
  past: number;
}

export type Put = (depth: number, start: number, end: number, fn: number) => void;

export interface Layers {
  /** The number of layers, and the width of all. */
  readonly depth: number;
  readonly width: number;
  /** Puts the visible boxes; of those that end within the same pixel the first is enough. */
  draw(sight: Sight, put: Put): void;
  /** The box at a place, or the first that begins less than a step after it. */
  at(depth: number, place: number, step: number): Box | null;
  /** The box after a box, or before it. */
  neighbour(box: Box, by: 1 | -1): Box | null;
  /** The box that one of older layers has become, in which its moment was `shift` later. */
  again(box: Box, older: Layers, shift: number): Box | null;
}
