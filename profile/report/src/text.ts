// How numbers and functions are written.
import { printable } from "./printable";
import type { Func, Profile } from "./profile";

/** Milliseconds or ticks, in as many digits as are useful. */
export function amount(profile: Profile, ticks: number): string {
  const { interval } = profile;
  return interval > 0 ? duration(ticks * interval) : `${Math.round(ticks)} ticks`;
}

export function duration(ms: number): string {
  if (ms >= 7_200_000) return `${(ms / 3_600_000).toFixed(1)} h`;
  if (ms >= 60_000) return `${(ms / 60_000).toFixed(1)} min`;
  if (ms >= 1000) return `${(ms / 1000).toFixed(2)} s`;
  if (ms >= 10 || ms === 0) return `${ms.toFixed(0)} ms`;
  return ms >= 0.1 ? `${ms.toFixed(1)} ms` : `${(ms * 1000).toFixed(0)} µs`;
}

/** A place on the axis of time. */
export function moment(profile: Profile, time: number): string {
  return profile.interval > 0 ? duration(time) : `${Math.round(time)} ticks`;
}

export function share(part: number, all: number): string {
  return all > 0 ? `${((100 * part) / all).toFixed(1)} %` : "–";
}

/** A difference of shares, in points. */
export function points(by: number): string {
  return `${by > 0 ? "+" : by < 0 ? "−" : "±"}${Math.abs(100 * by).toFixed(1)}`;
}

export function place({ file, line }: Func): string {
  return line > 0 && file ? `${file}:${line}` : file;
}

/** An element with attributes and content. Strings are text, never markup, and printable. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string | number | boolean> = {},
  ...content: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(key, "");
    else if (value !== false) made.setAttribute(key, String(value));
  }
  made.append(...content.map((part) => (typeof part === "string" ? printable(part) : part)));
  return made;
}

/** Parts of a line, each of which has its own direction: a name in Hebrew or Arabic does not move the figures next to it. */
export function apart(parts: string[]): (Node | string)[] {
  const made = parts.filter(Boolean).map((part) => element("bdi", { dir: "ltr" }, part));
  return made.flatMap((part, i) => (i > 0 ? [" · ", part] : [part]));
}

/** Makes an element like another, in place: its contents are not replaced where they are alike, so that focus, clicks and scroll positions survive. */
export function morph(old: Element, fresh: Element) {
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) === value) continue;
    if (name === "style") (old as HTMLElement).style.cssText = value; // policies allow no attribute
    else old.setAttribute(name, value);
  }
  const wanted = [...fresh.childNodes];
  while (old.childNodes.length > wanted.length) old.lastChild!.remove();
  wanted.forEach((child, i) => {
    const present = old.childNodes[i];
    if (!present) old.append(child);
    else if (present.nodeName !== child.nodeName) present.replaceWith(child);
    else if (present instanceof Element) morph(present, child as Element);
    else if (present.nodeValue !== child.nodeValue) present.nodeValue = child.nodeValue;
  });
}
