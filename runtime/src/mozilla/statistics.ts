// Statistics over a stream of numbers in bounded memory, after SystemTap's aggregates:
// values can be inserted and results read at any time.

/** The initial relative error of percentiles: 1 %. */
const ERROR = 0.01;
/** The most buckets that are kept; beyond, buckets are joined. */
const BUCKETS = 1024;
/** The logarithm of the base: each bucket extends to a power of it. */
const BASE = Math.log((1 + ERROR) / (1 - ERROR));

/** Counts by the exponent of the bucket. */
type Buckets = Map<number, number>;

/** A summary, as written by JSON.stringify. If the count is 0 it is the only field. */
export interface Summary {
  count: number;
  sum?: number;
  min?: number;
  max?: number;
  average?: number;
  variance?: number;
  p50?: number;
  p90?: number;
  p95?: number;
  p99?: number;
}

function add(buckets: Buckets, bucket: number, count: number) {
  buckets.set(bucket, (buckets.get(bucket) || 0) + count);
}

/** The same counts in buckets of 2^levels times the width. */
function widen(buckets: Buckets, levels: number): Buckets {
  const wide: Buckets = new Map();
  buckets.forEach((count, bucket) => add(wide, Math.ceil(bucket / 2 ** levels), count));
  return wide;
}

export class Statistics {
  /** How many numbers so far. */
  count = 0;
  sum = 0;
  /** Undefined without numbers. */
  min: number | undefined = undefined;
  max: number | undefined = undefined;
  private mean = 0;
  private squares = 0; // the sum of the squared distances from the mean
  private level = 0; // how often buckets were joined in pairs
  private zeros = 0;
  private above: Buckets = new Map(); // of numbers above zero
  private below: Buckets = new Map();

  /** Adds a number; anything but a finite number is ignored. */
  insert(value: number): void {
    value = Number(value);
    if (!Number.isFinite(value)) return;
    this.count++;
    this.sum += value;
    if (!(value >= this.min!)) this.min = value;
    if (!(value <= this.max!)) this.max = value;
    const distance = value - this.mean;
    this.mean += distance / this.count;
    this.squares += distance * (value - this.mean);
    if (value === 0) this.zeros++;
    else add(value > 0 ? this.above : this.below, Math.ceil(Math.log(Math.abs(value)) / this.width), 1);
    this.bound();
  }

  /** Adds all numbers of another. */
  merge(other: Statistics): void {
    if (other === this || other.count === 0) return;
    const count = this.count + other.count;
    const distance = other.mean - this.mean;
    this.squares += other.squares + (distance * distance * this.count * other.count) / count;
    this.mean += (distance * other.count) / count;
    this.count = count;
    this.sum += other.sum;
    if (!(other.min! >= this.min!)) this.min = other.min;
    if (!(other.max! <= this.max!)) this.max = other.max;
    this.zeros += other.zeros;
    this.join(other.level - this.level);
    const levels = this.level - other.level;
    widen(other.above, levels).forEach((n, bucket) => add(this.above, bucket, n));
    widen(other.below, levels).forEach((n, bucket) => add(this.below, bucket, n));
    this.bound();
  }

  get average(): number | undefined {
    return this.count ? this.mean : undefined;
  }

  /** The population variance: the sum of squares over the count. */
  get variance(): number | undefined {
    return this.count ? this.squares / this.count : undefined;
  }

  /**
   * The relative error of percentiles: 0.01, or more if the numbers are so far apart
   * that buckets had to be joined.
   */
  get error(): number {
    return Math.tanh(this.width / 2);
  }

  /** The value below which p percent (0 to 100) of the numbers lie. */
  percentile(p: number): number | undefined {
    if (!this.count || !(p >= 0 && p <= 100)) return undefined;
    if (p === 0) return this.min;
    let rank = Math.ceil((p / 100) * this.count);
    if (rank >= this.count) return this.max;
    const middle = (bucket: number) => Math.exp(bucket * this.width) * (1 - this.error);
    const within = (value: number) => Math.min(Math.max(value, this.min!), this.max!);
    const sorted = (buckets: Buckets, sign: number) => [...buckets].sort((a, b) => sign * (a[0] - b[0]));
    for (const [bucket, n] of sorted(this.below, -1)) if ((rank -= n) <= 0) return within(-middle(bucket));
    if ((rank -= this.zeros) <= 0) return 0;
    for (const [bucket, n] of sorted(this.above, 1)) if ((rank -= n) <= 0) return within(middle(bucket));
    return this.max;
  }

  toJSON(): Summary {
    const { count, sum, min, max, average, variance } = this;
    if (!count) return { count };
    const [p50, p90, p95, p99] = [50, 90, 95, 99].map((p) => this.percentile(p));
    return { count, sum, min, max, average, variance, p50, p90, p95, p99 };
  }

  /** The width of a bucket, as a logarithm. */
  private get width(): number {
    return BASE * 2 ** this.level;
  }

  /** Joins buckets, 2^levels at a time. */
  private join(levels: number) {
    if (levels <= 0) return;
    this.level += levels;
    this.above = widen(this.above, levels);
    this.below = widen(this.below, levels);
  }

  private bound() {
    while (this.above.size + this.below.size > BUCKETS) this.join(1);
  }
}
