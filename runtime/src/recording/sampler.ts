// The sampler is the realm's only recorder: it takes ticks, captures the stack of the
// check that took them as an Error, and puts both on the tape. It must be present the
// moment a profile starts; everything else (reading the tape, the coordinator, traces)
// is loaded then, see parts.ts.
//
// At first checks poll the clock. Where memory can be shared, the coordinator
// takes over once it runs (coordinator.ts).
import { makePoll } from "../clock/poll";
import { checks } from "../core/flag";
import { Leaf, type SampleKind, type Site } from "../core/kinds";
import { now, RealError } from "../core/real";
import { describe } from "../core/text";
import { Tape } from "./tape";

const enum Limit {
  /** Stacks deeper than this lose their outermost frames. */
  depth = 200,
}

/** Calls are kept flat, since `hidden` counts those between a check and the Error. */
function recorder(site: Site, raised: number, deeper: number) {
  const time = now();
  const { source } = tape;
  const [due, ticks] = source.take(time, raised);
  if (ticks > 0) tape.add(time, due, ticks, (site % Leaf) as SampleKind, { error: newError(), hidden: 4 + deeper, stack: null });
  source.pace(time, site);
}

/** An Error with a stack of our depth, whatever limit the page has set for its own. */
export function newError(depth: number = Limit.depth) {
  const limit = describe(RealError, "stackTraceLimit");
  try {
    if (limit?.writable) RealError.stackTraceLimit = depth;
    return new RealError(); // throws where the stack ends
  } finally {
    if (limit?.writable) RealError.stackTraceLimit = limit.value;
  }
}

/** The realm's tape: the first copy of the runtime makes it for all. */
export const tape = (checks.tape ||= new Tape(makePoll((): Tape => tape), recorder)) as Tape;
