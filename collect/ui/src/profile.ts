// The profile of a selection: what all its sessions did, added up.
import { element } from "../../../profile/report/src/text";
import type { Fn } from "./answers";
import { selection } from "./api";
import { bench } from "./bench";
import { exportsOf } from "./exports";
import { missingMaps, nothing } from "./hints";
import { toggle, type Content, type Page } from "./parts";
import { choosing, viewOf, type State } from "./state";

export function profile(page: Page): Content {
  const words = () => selection(page.state, options(page));
  return [
    element("p", { class: "soft" }, "What all sessions of the selection did, added up. Times are estimates for all sessions, also for those that were not recorded."),
    tools(slowOnly(page), frameworks(page), positions(page), exportsOf("profile", words())),
    missingMaps(page),
    bench(page, { path: "profile", words: words(), onward: (fn) => page.link(trendOf(page, fn), `Trend of ${fn.name}`), empty: () => [nothing(page)] }),
  ];
}

/** The parameters that say how a profile is made. */
export const options = ({ state: { more } }: Page) => ({ ignored: more.ignored === "keep" ? "keep" : "", deployed: more.deployed === "1" });

/** A group of choices of what to include. */
export const tools = (...choices: HTMLElement[]) => element("div", { class: "tools", role: "group", "aria-label": "Included" }, ...choices);

export function frameworks(page: Page): HTMLElement {
  const { ignored } = options(page);
  return toggle("Framework functions", ignored === "keep", "Show the functions of frameworks instead of counting their time in their callers", () => page.go(choosing(page.state, { ignored: ignored ? "" : "keep" })));
}

function positions(page: Page): HTMLElement {
  const { deployed } = options(page);
  return toggle("Deployed positions", deployed, "Show the functions of the deployed code instead of those of the sources", () => page.go(choosing(page.state, { deployed: deployed ? "" : "1" })));
}

export function slowOnly({ state, go }: Page): HTMLElement {
  return toggle("Slow moments only", state.slow, "Count only the time of slow interactions, long tasks and their like", () => go({ ...state, slow: !state.slow }));
}

/** The address of a function's trend. */
export const trendOf = (page: Page, { name, file, line }: Fn): State => viewOf(page.state, "trend", { name, file: file ?? "", line: line ? String(line) : "" });
