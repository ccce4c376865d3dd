// How a function changed since another profile: functions are matched by name and file,
// since code moves.
import { fold, type Folds } from "./fold";
import type { Func, Profile } from "./profile";
import { Weights } from "./weights";

/** Without the query of a URL, in which servers tell versions: app.js?v=41. */
const keyOf = ({ name, file }: Func) => `${name}\n${file.replace(/(:\/\/[^?#]*)[?#].*/, "$1")}`;

export class Change {
  private readonly weights: Weights;
  private readonly self = new Map<string, number>();
  private readonly total = new Map<string, number>();

  constructor(private readonly source: Profile, before = source) {
    this.weights = new Weights(before, [0, before.end]);
    const { functions } = before;
    functions.forEach((fn, i) => {
      const key = keyOf(fn);
      this.self.set(key, (this.self.get(key) ?? 0) + this.weights.selfOf[i]);
      this.total.set(key, (this.total.get(key) ?? 0) + this.weights.totalOf[i]);
    });
  }

  /** The same comparison, with the other profile folded as the present one is. */
  folded({ isBusy, hidden }: Folds, functions: Func[]): Change {
    const keys = new Set(hidden.map((fn) => keyOf(functions[fn])));
    const same = [...this.source.functions.keys()].filter((fn) => keys.has(keyOf(this.source.functions[fn])));
    return new Change(this.source, fold(this.source, { isBusy, hidden: same }));
  }

  private share(of: Map<string, number>, fn: Func): number {
    return this.weights.all > 0 ? (of.get(keyOf(fn)) ?? 0) / this.weights.all : 0;
  }

  selfBefore = (fn: Func) => this.share(this.self, fn);

  totalBefore = (fn: Func) => this.share(this.total, fn);
}
