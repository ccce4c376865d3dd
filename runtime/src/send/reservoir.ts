// Chooses which slices are sent if there are more than may be: the worst, and some of the
// others, each with the same chance. The choice is made as they come, in little memory.

/** An item that was chosen, and how many of those that came it represents. */
export interface Chosen<T> {
  item: T;
  weight: number;
}

export class Reservoir<T> {
  private worst: T | undefined;
  private others: T[] = [];
  /** How many came, apart from the worst. */
  private came = 0;

  constructor(
    private places: number,
    private readonly badness: (item: T) => number,
    /** Whether a new item replaces one that came before, instead of being another. */
    private readonly replaces: (item: T, old: T) => boolean = () => false,
    private readonly random: () => number = Math.random,
  ) {}

  offer(item: T) {
    if (this.places < 1) return;
    if (this.worst === undefined || this.replaces(item, this.worst)) return void (this.worst = item);
    const old = this.others.findIndex((other) => this.replaces(item, other));
    if (this.badness(item) > this.badness(this.worst)) [this.worst, item] = [item, this.worst];
    if (old >= 0) return void (this.others[old] = item);
    this.came++;
    if (this.others.length < this.places - 1) return void this.others.push(item);
    const place = Math.floor(this.random() * this.came);
    if (place < this.others.length) this.others[place] = item;
  }

  /** Takes out what was chosen so far, the worst first. Its places are not available again. */
  take(): Chosen<T>[] {
    if (this.worst === undefined) return [];
    const others = this.others.splice(0);
    const weight = this.came / others.length;
    const chosen = [{ item: this.worst, weight: 1 }, ...others.map((item) => ({ item, weight }))];
    this.places -= chosen.length;
    this.worst = undefined;
    this.came = 0;
    return chosen;
  }
}
