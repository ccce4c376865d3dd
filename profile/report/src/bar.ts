// The bar of controls that act on all views at once: search, idle time, hidden functions,
// the selected function, and back to everything.
import { IDLE } from "./columns";
import { actOf, everywhere, type ActOf } from "./keys";
import type { Help } from "./help";
import type { Store } from "./store";
import { amount, element, share } from "./text";

export class Search {
  readonly host: HTMLElement;
  private readonly input = element("input", { type: "search", placeholder: "Search functions and files ( / )", "aria-label": "Search functions and files" });
  private readonly matches = element("output", { class: "matches" });
  private readonly clear = element("button", { type: "button", class: "clear", "aria-label": "Clear the search", hidden: true }, "×");

  constructor(private readonly store: Store) {
    this.host = element("div", { class: "search", role: "search" }, this.input, this.matches, this.clear);
    this.input.addEventListener("input", () => store.search(this.input.value));
    this.input.addEventListener("keydown", (event) => event.key === "Escape" && store.search(""));
    this.clear.addEventListener("click", () => {
      store.search("");
      this.input.focus();
    });
    store.onChange((changed) => changed !== "fn" && changed !== "focus" && this.follow());
    this.follow();
  }

  focus() {
    this.input.focus();
  }

  private follow() {
    const { store, input } = this;
    if (input.value.trim().toLowerCase() !== store.query) input.value = store.query;
    const matches = store.matches();
    this.clear.hidden = !matches;
    const count = matches?.functions === 1 ? "1 function" : `${matches?.functions} functions`;
    this.matches.textContent = matches ? `${count} · ${share(matches.ticks, store.weights.all)}` : "";
    this.matches.title = matches ? `${amount(store.profile, matches.ticks)} with at least one of them on the stack` : "";
  }
}

export class Bar {
  readonly host: HTMLElement;
  private readonly idle = element("button", { type: "button", class: "idle", title: "Leave idle time out: all shares are of busy time ( i )" }, "Hide idle");
  private readonly hidden = element("span", { class: "hiding", role: "group", "aria-label": "Hidden functions" });
  private readonly all = element("button", { type: "button", class: "reset", title: "Show everything: no range, search, selection or hidden function ( 0 )" }, "Reset");
  private readonly chosen = element("span", { class: "chosen", role: "group", "aria-label": "Selected function", hidden: true });
  private readonly name = element("span", { class: "name" });
  private readonly figures = element("span", { class: "shares" });

  constructor(private readonly store: Store) {
    const sandwich = this.button("Sandwich", "Callers and callees of this function ( s )", () => store.sandwich(store.fn));
    const hide = this.button("Hide", "Hide this function: its time counts in its callers ( h )", () => store.hide(store.fn));
    const none = this.button("×", "Select nothing", () => store.select(-1));
    none.setAttribute("aria-label", "Select nothing");
    this.chosen.append(element("span", { class: "facts" }, this.name, this.figures), sandwich, hide, none);
    this.idle.addEventListener("click", () => this.toggleIdle());
    this.all.addEventListener("click", () => store.reset());
    this.host = element("div", { class: "bar", role: "toolbar", "aria-label": "Shown" }, this.idle, this.hidden, this.all, this.chosen);
    store.onChange((changed) => {
      if (changed === "folds") this.listHidden();
      this.follow();
    });
    this.follow();
  }

  /** Acts on keys that mean the same in every view. */
  listen(search: Search, help: Help) {
    const { store } = this;
    const acts: Record<ActOf<typeof everywhere>, () => void> = {
      search: () => search.focus(),
      idle: () => this.toggleIdle(),
      sandwich: () => store.fn >= 0 && store.sandwich(store.fn),
      hide: () => store.fn >= 0 && store.hide(store.fn),
      undo: () => this.store.folds.hidden.length > 0 && store.hide(store.folds.hidden.at(-1)!, false),
      reset: () => store.reset(),
      keys: () => help.open(),
    };
    addEventListener("keydown", (event) => {
      const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
      const act = isTyping || event.defaultPrevented || help.dialog.open ? undefined : actOf(everywhere, event);
      if (!act) return;
      event.preventDefault();
      acts[act]();
    }, { signal: store.ended });
  }

  private button(text: string, title: string, act: () => void) {
    const button = element("button", { type: "button", title }, text);
    button.addEventListener("click", act);
    return button;
  }

  private toggleIdle() {
    const { store } = this;
    if (!this.idle.hidden) store.fold({ ...store.folds, isBusy: !store.folds.isBusy });
  }

  private follow() {
    const { store } = this;
    const { profile, weights, fn, folds } = store;
    this.idle.hidden = !profile.functions.some(({ kind }) => kind === IDLE);
    this.idle.setAttribute("aria-pressed", String(folds.isBusy));
    this.all.disabled = store.isPlain;
    this.chosen.hidden = fn < 0;
    if (fn < 0) return;
    this.name.textContent = this.name.title = profile.functions[fn].name;
    this.figures.textContent = `self ${share(weights.selfOf[fn], weights.all)}, total ${share(weights.totalOf[fn], weights.all)}`;
  }

  /** A button for each, which shows it again. */
  private listHidden() {
    const { store } = this;
    const { hidden } = store.folds;
    const chips = hidden.map((fn) => {
      const { name } = store.profile.functions[fn];
      const chip = this.button("", `Show ${name} again`, () => {
        store.hide(fn, false);
        (this.hidden.querySelector("button") ?? this.idle).focus();
      });
      chip.append(element("span", { class: "name" }, name), " ×");
      return chip;
    });
    this.hidden.replaceChildren(...(chips.length > 0 ? ["hidden: ", ...chips] : []));
  }
}
