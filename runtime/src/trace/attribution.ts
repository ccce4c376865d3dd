// Whose time a sample is, by the rule `BySite` of profile/attribute.go. Both pass the
// corpus in profile/testdata/attribution.
import { byCheck, Entry, type SampleKind } from "../core/kinds";
import type { Frame, Stack } from "../stacks/stack";

/** The facts that attribution needs of a frame's function. */
export interface Flags {
  /** It carries checks, or is a script's top level, so time can be its own. */
  readonly checked: boolean;
  /** The engine fills its parameters before its entry check can run. */
  readonly filledFirst: boolean;
}

export class Attribution {
  private readonly nearest = new Map<Stack, Stack | null>();

  /** callerOf skips the frames that some engines add and no function has. */
  constructor(
    private readonly flagsOf: (frame: Frame) => Flags,
    private readonly callerOf: (stack: Stack) => Stack | null = (stack) => stack.parent,
  ) {}

  /**
   * The stack whose innermost frame owns the time before a check. For a loop or exit
   * check that is the check's function; for an entry check the caller, unless the
   * function's parameters are filled first; from there the nearest checked function
   * outwards. Null if there is none.
   */
  owner(stack: Stack | null, kind: SampleKind): Stack | null {
    if (!stack || !byCheck(kind)) return stack;
    const caller = kind === Entry && !this.flagsOf(stack.frame).filledFirst;
    return this.checkedFrom(caller ? this.callerOf(stack) : stack);
  }

  private checkedFrom(stack: Stack | null): Stack | null {
    const passed: Stack[] = [];
    let at = stack;
    let found: Stack | null = null;
    for (; at; at = this.callerOf(at)) {
      const known = this.nearest.get(at);
      if (known !== undefined) {
        found = known;
        break;
      }
      passed.push(at);
      if (this.flagsOf(at.frame).checked) {
        found = at;
        break;
      }
    }
    for (const between of passed) this.nearest.set(between, found);
    return found;
  }
}
