// All keys, in one table: handlers act by it, and the overlay shows it.

export interface Key<Act extends string = string> {
  act: Act;
  keys: string[];
  /** Their effect, in words. */
  does: string;
}

const key = <Act extends string>(act: Act, does: string, ...keys: string[]): Key<Act> => ({ act, keys, does });

export const everywhere = [
  key("search", "search functions and files; Escape clears the search", "/"),
  key("idle", "hide idle time, or show it", "i"),
  key("sandwich", "show the selected function with its callers and callees", "s"),
  key("hide", "hide the selected function: its time counts in its callers", "h"),
  key("undo", "show the function that was hidden last", "u"),
  key("reset", "show everything: no range, search, selection or hidden function", "0"),
  key("keys", "show this list", "?"),
];

export const inTabs = [key("before", "the previous view", "ArrowLeft"), key("after", "the next view", "ArrowRight")];

export const inCharts = [
  key("before", "the box to the left", "ArrowLeft"),
  key("after", "the box to the right", "ArrowRight"),
  key("above", "the box above", "ArrowUp"),
  key("below", "the box below", "ArrowDown"),
  key("zoom", "zoom to the box", "Enter"),
  key("all", "show all", "Escape"),
  key("closer", "zoom in", "+", "="),
  key("wider", "zoom out", "-"),
];

export const inTables = [
  key("down", "the next row", "ArrowDown"),
  key("up", "the previous row", "ArrowUp"),
  key("pageDown", "a page down", "PageDown"),
  key("pageUp", "a page up", "PageUp"),
  key("first", "the first row", "Home"),
  key("last", "the last row", "End"),
  key("open", "open the row, or go into it", "ArrowRight"),
  key("close", "close the row, or go to the one that it is in", "ArrowLeft"),
  key("choose", "select the row", "Enter", " "),
];

export const groups: [where: string, keys: Key[]][] = [
  ["Everywhere", everywhere],
  ["Views", inTabs],
  ["Charts", inCharts],
  ["Tables", inTables],
];

export type ActOf<Keys> = Keys extends Key<infer Act>[] ? Act : never;

/** The act of a key, if it is in the list and no modifier is held. */
export function actOf<Act extends string>(keys: Key<Act>[], event: KeyboardEvent): Act | undefined {
  if (event.altKey || event.ctrlKey || event.metaKey) return undefined;
  return keys.find(({ keys }) => keys.includes(event.key))?.act;
}

/** The name on a keyboard. */
export function nameOf(key: string): string {
  return { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", " ": "Space", PageDown: "Page ↓", PageUp: "Page ↑", Escape: "Esc" }[key] ?? key;
}
