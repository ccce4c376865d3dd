// Looks at samples at the moment they are taken, in the middle of the program's work. The
// tape is the place: each recording that begins sets the recorder anew.
import { tape } from "../recording/sampler";
import type { Capture } from "../stacks/stack";

/** Has `see` look at each sample that a check takes, from now on. */
export function onSample(see: (capture: Capture) => void) {
  const { add } = tape;
  tape.add = (time, due, ticks, kind, capture, missed) => {
    if (capture) see(capture);
    add.call(tape, time, due, ticks, kind, capture, missed);
  };
}
