// A profile with the views of the report: flame graph, functions, trees, and where it has times
// also what is in order of time.
import { remember } from "../../../profile/report/src/address";
import { contentIn, SCRIPT } from "../../../profile/report/src/columns";
import { aboutOf, storeOf } from "../../../profile/report/src/open";
import type { Store } from "../../../profile/report/src/store";
import { element } from "../../../profile/report/src/text";
import { Timeline } from "../../../profile/report/src/timeline";
import { frameOf, viewsOf } from "../../../profile/report/src/views";
import type { Fn } from "./answers";
import { askText } from "./api";
import { part, type Content, type Page } from "./parts";

export interface BenchOptions {
  /** Its path in the API, and its parameters. */
  path: string;
  words: URLSearchParams;
  /** Whether the same address always has the same profile. */
  isSteady?: boolean;
  /** A link that leads on from the function that is selected. */
  onward?(fn: Fn): HTMLElement;
  /** The content shown instead of a profile without samples. */
  empty(): Content;
}

/** A profile of the API, which unpacks as the page of a report does. */
export function bench(page: Page, { path, words, isSteady, onward, empty }: BenchOptions): HTMLElement {
  words.set("format", "columns");
  const load = async (signal: AbortSignal) => contentIn(await askText(path, words, signal));
  return part(page, "", load, (content) => {
    if (content.profile.samples.node.count === 0) return empty();
    const store = storeOf(content);
    store.advice = "Upload maps that have the sources.";
    page.signal.addEventListener("abort", () => store.end());
    const { search, help, rest, tabs } = frameOf(store, viewsOf(store));
    const time = store.profile.isSum ? [] : [new Timeline(store).host];
    const head = element("div", { class: "head" }, search, help, ...(onward ? [linkOf(store, onward)] : []), aboutOf(content.profile));
    const host = element("div", { class: "bench" }, head, ...time, ...rest);
    // Views measure themselves: they are filled when they are in the page.
    queueMicrotask(() => {
      tabs.show(tabs.name);
      remember(store, tabs, isSteady ?? false);
    });
    return [host];
  });
}

/** It follows the selection. */
function linkOf(store: Store, onward: (fn: Fn) => HTMLElement): HTMLElement {
  const host = element("span", { class: "onward" });
  const fill = () => {
    const fn = store.profile.functions[store.fn];
    // A mark that the function holds others' time follows its name.
    host.replaceChildren(...(fn?.kind === SCRIPT ? [onward({ name: fn.name.replace(/ \+$/, ""), file: fn.file, line: fn.line })] : []));
  };
  store.onChange((changed) => changed === "fn" && fill());
  return host;
}
