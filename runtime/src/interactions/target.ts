// Names elements as people find them: `button#save.primary`, also for a click on the icon in
// it. Getters and methods are those
// of the load: a form's fields hide its own properties, and a page may replace them.
import { builtin } from "../core/builtin";
import { apply } from "../core/text";
import { plain } from "./found";

const longest = 100;
/** The elements that people mean by a click on something within. */
const meant = "button,a,input,select,textarea,label,summary,[role]";

const prototype = builtin("Element")?.prototype;
const localName = prototype && Object.getOwnPropertyDescriptor(prototype, "localName")?.get;
const getAttribute = prototype?.getAttribute;
const closest = prototype?.closest;
const composedPath = builtin("Event")?.prototype?.composedPath;

/** The name of an element; undefined if it is not an element, or not of this realm. */
export function nameOf(target: unknown): string | undefined {
  try {
    const near = (selector: string): unknown => apply(closest!, target, [selector]);
    const element = near(meant) ?? near("[id],[class]") ?? target;
    const attribute = (name: string) => plain(apply(getAttribute!, element, [name]) ?? "", longest).trim();
    const id = attribute("id");
    const classes = attribute("class").split(/ +/, 3).join(".");
    const name = apply(localName!, element, []) + (id && "#" + id) + (classes && "." + classes);
    return plain(name, longest);
  } catch {
    return undefined;
  }
}

/** The element that an event happened to, in an open shadow root too. */
export function targetOf(event: Event): unknown {
  try {
    return (apply(composedPath!, event, []) as EventTarget[])[0];
  } catch {
    return undefined;
  }
}
