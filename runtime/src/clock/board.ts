// The board is the memory that a realm shares with its coordinator, in addition to the flag.

/** Words of the board, by index: 32-bit integers first, then 64-bit floats. */
export const word = {
  /** Odd: run; even: pause; negative: end. A new value means new orders. */
  State: 0,
  /** 1 while a ping is under way to the realm. */
  Ping: 1,
  /** How many ticks were raised; it goes round after 2³², in 50 days at 1 ms. */
  Raised: 2,
  /** Whether the thread ran or rested when the first pending tick was due: one of `rest`. */
  Rest: 3,
  /** Floats: the interval, when the first pending tick was due, missed deadlines. */
  Interval: 2,
  Due: 3,
  Missed: 4,
  /** When the realm gave its last order, by its clock; and by how much the worker's clock was before that when it took the order. */
  Ordered: 5,
  Ahead: 6,
  /** The start of the ring of delays. */
  Late: 7,
} as const;

/** The known states of the thread. */
export const rest = { Unknown: 0, Ran: 1, Rested: 2 } as const;

/** How many delays are kept: a power of two, so that a count that goes round keeps its place. */
const ring = 64;

export class Board {
  readonly words: Int32Array;
  readonly numbers: Float64Array;

  constructor(readonly memory = new SharedArrayBuffer(8 * (word.Late + ring))) {
    this.words = new Int32Array(memory);
    this.numbers = new Float64Array(memory);
  }

  get interval() {
    return this.numbers[word.Interval];
  }
  set interval(milliseconds: number) {
    this.numbers[word.Interval] = milliseconds;
  }

  /** When the first pending tick was due, in milliseconds since 1970 by the worker's clock. */
  get due() {
    return this.numbers[word.Due];
  }
  set due(time: number) {
    this.numbers[word.Due] = time;
  }

  /** Whether the thread ran or rested when the first pending tick was due. */
  get rest() {
    return this.words[word.Rest];
  }
  set rest(what: number) {
    this.words[word.Rest] = what;
  }

  /** Deadlines that passed while the coordinator could not run. */
  get missed() {
    return this.numbers[word.Missed];
  }
  set missed(deadlines: number) {
    this.numbers[word.Missed] = deadlines;
  }

  /** When the realm gave its last order, in milliseconds since 1970 by its own clock. */
  get ordered() {
    return this.numbers[word.Ordered];
  }
  set ordered(time: number) {
    this.numbers[word.Ordered] = time;
  }

  /** How far the realm's clock is ahead of the worker's, at least, in milliseconds; 0 if that is unknown. */
  get ahead() {
    return this.numbers[word.Ahead];
  }
  set ahead(milliseconds: number) {
    this.numbers[word.Ahead] = milliseconds;
  }

  /** Records how late a tick was, in milliseconds. */
  late(tick: number, milliseconds: number) {
    this.numbers[word.Late + (tick & (ring - 1))] = milliseconds;
  }

  /** How late the last ticks were, in milliseconds. */
  lates(): number[] {
    const raised = this.words[word.Raised] >>> 0;
    return [...this.numbers.subarray(word.Late, word.Late + Math.min(ring, raised))];
  }
}
