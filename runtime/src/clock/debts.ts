// Ticks that fall due while a check reads a clock that advances in steps. The time that the
// check takes cannot be subtracted from what such a clock shows. But a tick can wait for the
// next step, if the one that it is due at fell on the check:
//
//	a check             the program    a check
//	( … R ------ R … )  ------------   ( … R ------ R … )
//	      seen                             seen
//
// R reads the clock. A step between two readings of one check is seen to be ours. As many
// fall on the edges (…), and look like the program's. So for each that is seen the
// function owes a tick: the next one that its checks would take waits, too.
const enum Limit {
  /** So many functions may owe ticks; then all is forgiven. */
  functions = 1000,
}

export interface Debts {
  /** A tick fell due within a check. `hidden` counts our calls between that check and this one. */
  incur(hidden: number): void;
  /** Whether the function of a check that could take a tick owes one. If so, it has paid it now. */
  pay(hidden: number): boolean;
}

/** `functionOf` finds a function on the stack, by the number of calls out from its own caller. */
export function makeDebts(functionOf: (hidden: number) => object | undefined): Debts {
  const owed = new Map<object, number>(); // ticks, by function
  return {
    incur(hidden) {
      const f = functionOf(hidden + 1);
      if (!f) return; // its stack cannot be read
      if (owed.size >= Limit.functions) owed.clear();
      owed.set(f, (owed.get(f) ?? 0) + 1);
    },

    pay(hidden) {
      if (!owed.size) return false;
      const f = functionOf(hidden + 1);
      const ticks = f && owed.get(f);
      if (!ticks) return false;
      if (ticks > 1) owed.set(f, ticks - 1);
      else owed.delete(f);
      return true;
    },
  };
}
