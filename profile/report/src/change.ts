// How functions changed since another profile.
import { fold, type Folds } from "./fold";
import { matched } from "./match";
import type { Func, Profile } from "./profile";
import { Weights } from "./weights";

/** Shares of the profile before, by the functions of the present one. */
export interface Shares {
  self: Float64Array;
  total: Float64Array;
}

export class Change {
  private readonly weights: Weights;
  private readonly before: Profile;
  private shares: Shares | undefined;

  /** Of the functions now those count that `present` has samples of, or without it all: a panel's data comes bit by bit. */
  constructor(
    private readonly source: Profile,
    private readonly present?: Profile,
    folds?: Folds,
  ) {
    this.before = folds ? fold(source, folds) : source;
    this.weights = new Weights(this.before, [0, this.before.end]);
  }

  /** The same comparison, with the other profile folded as the present one is. */
  folded({ isBusy, hidden }: Folds, functions: Func[]): Change {
    const earlier = this.earlier(functions);
    return new Change(this.source, this.present, { isBusy, hidden: hidden.map((fn) => earlier[fn]).filter((fn) => fn >= 0) });
  }

  /** A panel's functions become more, and keep their numbers. */
  sharesOf(functions: Func[]): Shares {
    if (this.shares?.self.length === functions.length) return this.shares;
    const earlier = this.earlier(functions);
    const { all, selfOf, totalOf } = this.weights;
    const shares = (of: Float64Array) => Float64Array.from(earlier, (fn) => (fn >= 0 && all > 0 ? of[fn] / all : 0));
    return (this.shares = { self: shares(selfOf), total: shares(totalOf) });
  }

  private earlier(functions: Func[]): Int32Array {
    return matched(this.source.functions, functions, new Set(this.source.fn), this.present ? new Set(this.present.fn) : functions.keys());
  }
}
