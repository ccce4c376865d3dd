// How a function changed since another profile: functions are matched by name and file,
// since code moves.
import type { Func, Profile } from "./profile";
import { Weights } from "./weights";

const keyOf = ({ name, file }: Func) => `${name}\n${file}`;

export class Change {
  private readonly weights: Weights;
  private readonly self = new Map<string, number>();
  private readonly total = new Map<string, number>();

  constructor(before: Profile) {
    this.weights = new Weights(before, [0, before.end]);
    const { functions } = before;
    functions.forEach((fn, i) => {
      const key = keyOf(fn);
      this.self.set(key, (this.self.get(key) ?? 0) + this.weights.selfOf[i]);
      this.total.set(key, (this.total.get(key) ?? 0) + this.weights.totalOf[i]);
    });
  }

  private share(of: Map<string, number>, fn: Func): number {
    return this.weights.all > 0 ? (of.get(keyOf(fn)) ?? 0) / this.weights.all : 0;
  }

  selfBefore = (fn: Func) => this.share(this.self, fn);

  totalBefore = (fn: Func) => this.share(this.total, fn);
}
