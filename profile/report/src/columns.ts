// What the page holds of a profile: package report's columns, as JSON.

/** Kinds of function. */
export const SCRIPT = 0, NATIVE = 1, IDLE = 2, COLLECTOR = 3, PROGRAM = 4, LOST = 5;

/** A profile in columns that refer to each other by index; −1 is none. */
export interface Columns {
  title: string;
  /** Lines about how it was recorded and how well. */
  about: string[];
  /** Milliseconds a tick stands for; 0 where only weights are known. */
  interval: number;
  strings: string[];
  functions: { name: number[]; file: number[]; line: number[]; kind: number[] };
  frames: { function: number[]; line: number[] };
  /** A parent stands before its children. */
  stacks: { parent: number[]; frame: number[] };
  /** In order of time, which is told in microseconds since the sample before. */
  samples: { time: number[]; stack: number[]; weight: number[] };
}

export interface Content {
  profile: Columns;
  /** What it is compared with. */
  before?: Columns;
  /** Texts of files, by the name that functions have for them. */
  sources: Record<string, string>;
}
