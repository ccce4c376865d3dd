// Ticks that fall due while a check reads a clock that advances in steps. What a check
// takes cannot be taken out of what such a clock shows; but the tick can wait:
//
//	before  R  between  R  after   the program …   before  R
//	        |  a step   |          a step                  a step
//	           is ours             is the program's        looks like the program's
//
// If the clock has advanced from one reading of a check to the next, the tick waits for
// another step. As often a step falls on what the check does before and after. So for
// each of the former the function owes a tick: the next one that its checks take waits.
const enum Limit {
  /** So many functions may owe ticks; then all is forgiven. */
  functions = 1000,
}

export interface Debts {
  /** A tick fell due within a check. So many calls of ours are between it and this one. */
  incur(hidden: number): void;
  /** Whether the function of a check that could take a tick owes one, which is paid then. */
  pay(hidden: number): boolean;
}

/** `functionOf` says which function calls us, which is so many calls further out. */
export function makeDebts(functionOf: (hidden: number) => unknown): Debts {
  const owed = new Map<unknown, number>(); // ticks, by function
  return {
    incur(hidden) {
      const f = functionOf(hidden + 1);
      if (owed.size >= Limit.functions) owed.clear();
      owed.set(f, (owed.get(f) ?? 0) + 1);
    },

    pay(hidden) {
      if (!owed.size) return false;
      const f = functionOf(hidden + 1);
      const ticks = owed.get(f) ?? 0;
      if (ticks > 1) owed.set(f, ticks - 1);
      else owed.delete(f);
      return ticks > 0;
    },
  };
}
