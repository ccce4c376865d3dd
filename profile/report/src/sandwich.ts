// One function in the middle: its callers are above, its callees below.
import { around } from "./bands";
import { Chart } from "./chart";
import { IDLE } from "./columns";
import { describeBox } from "./functions";
import type { Box } from "./layers";
import type { Store } from "./store";
import { apart, element, place, share } from "./text";

export class Sandwich {
  readonly host: HTMLElement;
  private readonly title = element("h2");
  private readonly callers: Chart;
  private readonly callees: Chart;

  constructor(private readonly store: Store) {
    const describe = (box: Box) => describeBox(store, box);
    this.callers = new Chart(store, { label: "Callers", upwards: true, describe });
    this.callees = new Chart(store, { label: "Callees", describe });
    this.host = element("div", { class: "sandwich" }, element("h3", {}, "Callers"), this.callers.host, this.title, this.callees.host, element("h3", {}, "Callees"));
    store.onChange((changed) => {
      if (!this.host.isConnected) return;
      if (changed === "focus" || store.isOther(changed)) this.fill();
      if (LIVE && changed === "data") this.show("update");
    });
  }

  fill() {
    this.show("show");
  }

  private show(how: "show" | "update") {
    const { profile, weights } = this.store;
    const fn = this.fn();
    this.title.textContent = "Nothing was sampled.";
    if (fn >= 0) {
      const of = profile.functions[fn];
      this.title.replaceChildren(...apart([of.name, `self ${share(weights.selfOf[fn], weights.all)}`, `total ${share(weights.totalOf[fn], weights.all)}`, place(of)]));
    }
    this.callers[how](around(profile, weights, fn, true));
    this.callers.fit();
    this.callees[how](around(profile, weights, fn, false));
  }

  /** The function that was asked for, or else the one with the most time. */
  private fn(): number {
    const { focus, profile, weights, folds } = this.store;
    if (focus >= 0 && focus < profile.functions.length && !folds.hidden.includes(focus)) return focus;
    let most = -1;
    weights.selfOf.forEach((self, fn) => {
      if (self > (most < 0 ? 0 : weights.selfOf[most]) && profile.functions[fn].kind !== IDLE) most = fn;
    });
    return most;
  }
}
