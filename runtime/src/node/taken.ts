// Looks at ticks at the moment they are accounted for. The tape is the place: each recording
// that begins sets the recorder anew.
import { tape } from "../recording/sampler";
import type { Capture } from "../stacks/stack";

/** Has `see` look at each sample that a check takes, in the middle of the program's work, from now on. */
export function onSample(see: (capture: Capture) => void) {
  onTicks((capture) => {
    if (capture) see(capture);
  });
}

/** The same for all ticks, also those that found no check, of a thread that rests. */
export function onTicks(see: (capture: Capture | null) => void) {
  const { add } = tape;
  tape.add = (time, due, ticks, kind, capture, missed) => {
    see(capture);
    add.call(tape, time, due, ticks, kind, capture, missed);
  };
}
