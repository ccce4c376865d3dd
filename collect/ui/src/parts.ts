// The parts of a page. Each asks for its own data and shows it when it comes, so that nothing
// waits for the slowest.
import { element } from "../../../profile/report/src/text";
import { ApiError } from "./api";
import type { LabelValues } from "./answers";
import type { State } from "./state";

/** The page that views are in, as far as they need it. */
export interface Page {
  readonly state: State;
  /** Ends when another view takes the place of this one. */
  readonly signal: AbortSignal;
  /** The labels of the whole range, with their values. */
  readonly labels: Promise<LabelValues[]>;
  /** Shows another state, as a new entry of the history. */
  go(state: State): void;
  /** Puts choices into the address that change nothing else: an order of rows, for example. */
  note(more: Record<string, string>): void;
  /** A link to a state, which opens in place. */
  link(state: State, ...content: (Node | string)[]): HTMLAnchorElement;
  /** Asks for the token. */
  signIn(): void;
}

export type Content = (Node | string)[];

/** A part with a heading; without one the view's own heading is enough. */
export function part<Answer>(page: Page, title: string, load: (signal: AbortSignal) => Promise<Answer>, show: (answer: Answer) => Content): HTMLElement {
  const body = element("div");
  const host = element("section", { class: "part" }, ...(title ? [element("h3", {}, title)] : []), body);
  if (title) host.setAttribute("aria-label", title);
  const fill = async () => {
    host.setAttribute("aria-busy", "true");
    body.replaceChildren(element("p", { class: "waiting", role: "status" }, "Loading …"));
    try {
      const answer = await load(page.signal);
      if (!page.signal.aborted) body.replaceChildren(...show(answer));
    } catch (error) {
      if (page.signal.aborted) return;
      if (error instanceof ApiError && error.status === 401) page.signIn();
      // A question that has no answer, such as a comparison with nothing.
      else if (error instanceof ApiError && error.status === 422) body.replaceChildren(element("p", { class: "hint" }, error.message));
      else body.replaceChildren(failure(error, fill));
    } finally {
      host.setAttribute("aria-busy", "false");
    }
  };
  void fill();
  return host;
}

/** Says what went wrong, and offers to try again. */
export function failure(error: unknown, again: () => void): HTMLElement {
  const words = error instanceof ApiError ? error.message : `No answer from the collector (${String(error)}). Is it running?`;
  return element("div", { class: "failure", role: "alert" }, element("p", {}, words), button("Try again", again));
}

export function button(text: string, act: () => void, attributes: Record<string, string | boolean> = {}): HTMLButtonElement {
  const made = element("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", act);
  return made;
}

/** A choice that is on or off. */
export const toggle = (text: string, isOn: boolean, title: string, act: () => void) => button(text, act, { "aria-pressed": String(isOn), title });

/** One of several choices. */
export function select(label: string, options: [value: string, text: string][], chosen: string, act: (value: string) => void): HTMLElement {
  const known = options.some(([value]) => value === chosen) ? options : [...options, [chosen, chosen] as [string, string]];
  const list = element("select", { "aria-label": label }, ...known.map(([value, text]) => element("option", { value, selected: value === chosen }, text)));
  list.addEventListener("change", () => act(list.value));
  return list;
}

/** A choice with its name in front of it. */
export const labelledSelect = (label: string, ...rest: [options: [value: string, text: string][], chosen: string, act: (value: string) => void]) => element("span", { class: "choice" }, element("span", { "aria-hidden": "true" }, label), select(label, ...rest));

/** The notes that come with an answer, such as maps that are missing. */
export const notesOf = (notes?: string[] | null): Content => (notes?.length ? [element("ul", { class: "notes" }, ...notes.map((note) => element("li", {}, note)))] : []);
