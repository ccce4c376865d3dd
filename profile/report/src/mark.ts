// Something that happened, to be marked on axes of time and listed. Its strings come from a
// page.

export interface Mark {
  start: number;
  end: number;
  what: string;
  name: string;
  /** The element of an interaction. */
  target?: string;
  detail?: string;
  /** Of an interaction, in milliseconds: from the input to its first handler, its handlers, and up to the next picture. */
  parts?: [inputDelay: number, processing: number, presentation: number];
  /** The blame, in a sentence. */
  said?: string;
  /** It is part of something slow that is listed, too. */
  part?: boolean;
}

/** The kinds of marks that took long, and are worth a look. */
const slow = ["interaction", "long-frame", "long-task", "load", "navigation"];

export const isSlow = ({ what }: Mark) => slow.includes(what);

export const lengthOf = ({ start, end }: Mark) => end - start;

const names: { [what: string]: string } = { "long-task": "long task", "long-frame": "long frame", frame: "frame data" };

export const whatOf = ({ what }: Mark) => (Object.hasOwn(names, what) ? names[what] : what);
