// The state of the dashboard is in the address of the page: links, the history and reloads show
// the same again.

export interface State {
  view: string;
  app: string;
  /** Moments as the API reads them: RFC 3339, "now" or "now-24h". */
  from: string;
  to: string;
  /** The values that labels may have. */
  where: Where;
  /** Only the time of slow moments. */
  slow: boolean;
  /** Choices that only the present view knows, such as a function or a column to sort by. */
  more: Record<string, string>;
}

export type Where = Record<string, string[]>;

export const usual = { view: "overview", from: "now-24h", to: "now" };

/** How long a text in an address may be. */
const longest = 1000;

export function stateOf(search: string): State {
  const state: State = { ...usual, app: "", where: {}, slow: false, more: {} };
  for (const [key, raw] of new URLSearchParams(search)) {
    const value = raw.slice(0, longest);
    if (key === "where") addTo(state.where, ...labelled(value));
    else if (key === "slow") state.slow = value === "1";
    else if (key === "view" || key === "app" || key === "from" || key === "to") state[key] = value;
    else if (!unsafe.includes(key)) state.more[key] = value;
  }
  return state;
}

const unsafe = ["__proto__", "constructor", "prototype"];

/** A label and its value: "route:/cart". */
export function labelled(text: string): [label: string, value: string] {
  const at = text.indexOf(":");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

function addTo(where: Where, label: string, value: string) {
  if (!label || unsafe.includes(label)) return;
  if (Object.hasOwn(where, label)) where[label].push(value);
  else where[label] = [value];
}

export function addressOf(state: State): string {
  const words = new URLSearchParams();
  if (state.app) words.set("app", state.app);
  for (const key of ["view", "from", "to"] as const) if (state[key] !== usual[key]) words.set(key, state[key]);
  for (const [label, value] of pairs(state.where)) words.append("where", `${label}:${value}`);
  if (state.slow) words.set("slow", "1");
  for (const [key, value] of Object.entries(state.more)) if (value) words.set(key, value);
  return `?${words}`;
}

export const pairs = (where: Where): [label: string, value: string][] => Object.entries(where).flatMap(([label, values]) => values.map((value): [string, string] => [label, value]));

/** The same, with a label that has one value. */
export const having = (where: Where, label: string, ...values: string[]): Where => ({ ...where, [label]: values });

export function without(where: Where, label: string): Where {
  const rest = { ...where };
  delete rest[label];
  return rest;
}

/** Another view of the same selection. */
export const viewOf = (state: State, view: string, more: Record<string, string> = {}): State => ({ ...state, view, more });

/** The same view with other choices; "" removes one. */
export const choosing = (state: State, more: Record<string, string>): State => ({ ...state, more: { ...state.more, ...more } });
