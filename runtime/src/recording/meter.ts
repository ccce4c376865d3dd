// The account of what a session costs, and the decision that it is too much (valve.ts).

/** Nothing ends before the program was busy for so long, in milliseconds, and in so many ticks. */
const evidence = { busy: 3000, ticks: 100 };
/** Costs from longer ago than this much busy time, in milliseconds, count half, and then a quarter. */
const memory = 20_000;
/** How many standard errors above its budget a profile must be. */
const certainty = 2;

/** The part of the program's busy time that recording took. */
export interface Overhead {
  /** Of the busy time, in percent. */
  percent: number;
  /** The most that it may take. */
  budget: number;
  /** The profile ended itself: it took more. */
  exceeded: boolean;
}

/** The account of one session; times are in milliseconds. */
export class Meter {
  private cost = 0;
  private busy = 0;
  /** Of late, see memory. */
  private recent = { cost: 0, squares: 0, busy: 0, ticks: 0 };
  private share = NaN; // when it ended

  /** Budget in percent. */
  constructor(readonly budget: number) {}

  /** Adds what was spent since the last ticks; squares estimate its variance. */
  add(cost: number, squares: number, busy: number, ticks: number) {
    const { recent } = this;
    this.cost += cost;
    this.busy += busy;
    recent.cost += cost;
    recent.squares += squares;
    recent.busy += busy;
    recent.ticks += ticks;
    if (recent.busy < memory) return;
    recent.cost /= 2;
    recent.squares /= 4;
    recent.busy /= 2;
    recent.ticks /= 2;
  }

  /** Whether the budget is certainly exceeded. From then on the account is closed. */
  judge(): boolean {
    const { cost, squares, busy, ticks } = this.recent;
    if (busy < evidence.busy || ticks < evidence.ticks) return false;
    const error = certainty * Math.hypot(Math.sqrt(squares) / cost, 1 / Math.sqrt(ticks));
    const share = (100 * cost) / busy;
    if (!(share * (1 - error) > this.budget)) return false;
    this.share = share;
    return true;
  }

  /** Undefined if the program was never busy. */
  get overhead(): Overhead | undefined {
    const exceeded = this.share >= 0;
    const percent = exceeded ? this.share : (100 * this.cost) / this.busy;
    return this.busy > 0 ? { percent, budget: this.budget, exceeded } : undefined;
  }
}
