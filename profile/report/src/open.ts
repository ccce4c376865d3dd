// A profile in columns, opened: what its views work on, and what is known about it.
import { Change } from "./change";
import { tablesOf, type Columns, type Content } from "./columns";
import { printable } from "./printable";
import { Profile } from "./profile";
import { Store } from "./store";
import { element } from "./text";

export function storeOf(content: Content): Store {
  const { profile, before, sources } = content;
  const texts = new Map(Object.entries(sources).map(([file, text]) => [printable(file), text]));
  const present = new Profile(tablesOf(profile, content));
  const change = before ? new Change(new Profile(tablesOf(before, content)), present) : null;
  const store = new Store(present, change, (file) => texts.get(file));
  store.marks = profile.interval > 0 ? profile.marks : []; // weights have no place in time
  return store;
}

/** How it was recorded and how well. Losses are seen at once. */
export function aboutOf({ about: [health, ...more] }: Columns): HTMLElement {
  const open = more.some((line) => line.startsWith("lost: "));
  return element("details", { open }, element("summary", {}, health ?? "About"), ...more.map((line) => element("p", {}, line)));
}
