// Names elements as people find them: `button#save.primary`. Getters and methods are those
// of the load: a form's fields hide its own properties, and a page may replace them.
import { describe } from "../core/real";
import { apply } from "../core/text";
import { plain } from "./found";

const longest = 100;

const { prototype } = (globalThis.Element ?? class {}) as { prototype: Element };
const localName = describe(prototype, "localName")?.get;
const { getAttribute } = prototype;
const { composedPath } = (globalThis.Event?.prototype ?? {}) as Event;

/** The name of an element; undefined if it is not an element, or not of this realm. */
export function nameOf(target: unknown): string | undefined {
  try {
    const attribute = (name: string) => plain(apply(getAttribute, target, [name]) ?? "", longest).trim();
    const id = attribute("id");
    const classes = attribute("class").split(/ +/, 3).join(".");
    const name = apply(localName!, target, []) + (id && "#" + id) + (classes && "." + classes);
    return plain(name, longest);
  } catch {
    return undefined;
  }
}

/** The element that an event happened to, in an open shadow root too. */
export function targetOf(event: Event): unknown {
  try {
    return (apply(composedPath, event, []) as EventTarget[])[0];
  } catch {
    return undefined;
  }
}
