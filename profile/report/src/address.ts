// Keeps the reader's choices in the page's address, so that a link or a reload shows the same.
import { isFolded } from "./fold";
import type { Store } from "./store";
import type { Tabs } from "./views";

const patience = 200; // ms: browsers limit how often an address changes

/** Numbers of functions and times mean nothing in other data: they are kept where the data stays the same. */
export function remember(store: Store, tabs: Tabs, isSteady = !LIVE) {
  let written = "";
  let timer = 0;
  const write = () => {
    timer = 0;
    if (store.ended.aborted) return;
    written = textOf(store, tabs.name, isSteady);
    if (location.hash.slice(1) === written) return;
    try {
      history.replaceState(history.state, "", `#${written}`);
    } catch {
      location.replace(`#${written}`); // a page from disk, in some browsers
    }
  };
  const later = () => (timer ||= setTimeout(write, patience) as unknown as number);
  read(store, tabs, isSteady);
  store.onChange((changed) => changed !== "data" && later());
  tabs.onOpen(later);
  addEventListener("hashchange", () => location.hash.slice(1) !== written && read(store, tabs, isSteady), { signal: store.ended });
}

function textOf(store: Store, view: string, isSteady: boolean): string {
  const { range, query, fn, focus, folds } = store;
  const words = new URLSearchParams({ view });
  if (folds.isBusy) words.set("idle", "hidden");
  if (query) words.set("search", query);
  if (!isSteady) return String(words);
  if (!store.isWhole) words.set("range", range.map((at) => Number(at.toFixed(3))).join("-"));
  if (fn >= 0) words.set("function", String(fn));
  if (focus >= 0) words.set("sandwich", String(focus));
  if (folds.hidden.length > 0) words.set("hidden", folds.hidden.join("-"));
  return String(words);
}

/** An address may say anything. */
function read(store: Store, tabs: Tabs, isSteady: boolean) {
  const words = new URLSearchParams(location.hash.slice(1));
  const numbers = (key: string) => (words.get(key) ?? "").split("-").filter(Boolean).map(Number);
  const functions = (key: string) => (!isSteady ? [] : [...new Set(numbers(key))].filter((fn) => Object.hasOwn(store.profile.functions, fn)));
  const folds = { isBusy: words.get("idle") === "hidden", hidden: functions("hidden") };
  if (isFolded(folds) || isFolded(store.folds)) store.fold(folds);
  store.search((words.get("search") ?? "").slice(0, 1000));
  store.select(functions("function")[0] ?? -1);
  const [focus] = functions("sandwich");
  if (focus !== undefined) store.sandwich(focus);
  const [from, to] = numbers("range");
  if (isSteady) store.setRange(to > from ? [from, to] : [0, store.profile.end]);
  tabs.show(words.get("view") ?? "");
}
