// A slice in one sentence for people. Package profile/slices writes the same.
import { blame, type Blame, type Group, type Place } from "./blame";
import { nanoseconds } from "./coverage";
import { groupNames, hostOf, packageOf, type BlameOptions } from "./party";
import type { Slice } from "./slice";

/**
 * Says whose time a slice was: "282 ms of 310: filterProducts (catalogue.ts:41) ← onInput
 * (search.tsx:12)", or how its time is divided if no function has half of it.
 */
export function explain(slice: Slice, options: BlameOptions = {}): string {
  const found = blame(slice, options);
  const {
    total,
    cause,
    functions: [worst],
  } = found;
  if (cause && 2 * cause.time >= total) return `${rounded(cause.time)} ms of ${rounded(total)}: ${chain(found)}${besides(found)}`;
  const text = `${rounded(total)} ms: ${divided(found)}`;
  if (cause) return `${text}; ${rounded(cause.time)} in ${chain(found)}${besides(found)}`;
  if (worst?.self > 0) return `${text}; most in ${shown(worst)}: ${rounded(worst.self)}`;
  const script = scriptOf(slice);
  return script ? `${text}; the browser names ${script}` : text;
}

/** Milliseconds as a whole number. */
const rounded = (ms: number) => Math.floor((Math.round(ms * 1e6) + 500_000) / 1e6);

/** The cause, and where the page's own code began that led to it. */
function chain({ cause, handler }: Blame): string {
  return handler ? `${shown(cause!)} ← ${shown(handler)}` : shown(cause!);
}

/** The groups in which a quarter of the cause's time or more was not its own code. */
function besides({ cause }: Blame): string {
  const { time, groups } = cause!;
  const parts = (["native", "gc", "style", "layout", "paint"] as const).filter((group) => 4 * (groups[group] ?? 0) >= time);
  return parts.length > 0 ? `, ${parts.map((group) => `${rounded(groups[group]!)} of it ${spoken[group] ?? group}`).join(", ")}` : "";
}

const spoken: Partial<Record<Group, string>> = { gc: "garbage collection", other: "busy without a check" };

/** The groups, the largest first. */
function divided({ total, groups, functions }: Blame): string {
  const parts = groupNames.filter((group) => rounded(groups[group]) > 0).sort((a, b) => groups[b] - groups[a]);
  if (parts.length === 0 || groups.waiting === total) return "nothing was sampled at work";
  return parts.map((group) => `${rounded(groups[group])} ${spoken[group] ?? group}${owner(group, functions)}`).join(", ");
}

/** Whose a group's largest function is: a package, or a host. */
function owner(group: Group, functions: Blame["functions"]): string {
  const { url = "" } = functions.find((found) => found.group === group) ?? {};
  const name = group === "framework" ? packageOf(url) : group === "third-party" ? hostOf(url) : "";
  return name ? ` (${printable(name)})` : "";
}

/** The browser's note about a script in a long animation frame: of several the one that overlaps the slice most, of none "". */
function scriptOf({ start, duration, trace }: Slice): string {
  const from = nanoseconds(start);
  const to = from + nanoseconds(duration);
  let text = "";
  let most = 0;
  for (const { what, name, detail, time, duration } of trace.fieldprof?.marks ?? []) {
    const begun = nanoseconds(time);
    const shared = Math.min(to, begun + nanoseconds(duration)) - Math.max(from, begun);
    if (what !== "note" || shared <= most) continue;
    most = shared;
    text = printable(name) + (detail ? `: ${printable(detail)}` : "");
  }
  return text;
}

/** A function as people find it: "filterProducts (catalogue.ts:41)". */
function shown({ name, url, line, column }: Place): string {
  const called = name ? printable(name) : url && line <= 1 && column <= 1 ? "(top level)" : "(anonymous)";
  const file = printable(/[^/\\]*$/.exec(url.replace(/[?#][^]*/, "").replace(/[/\\]+$/, ""))![0]);
  const at = line === 1 && column > 1 ? `:1:${column}` : line > 0 ? `:${line}` : ""; // a minified file may have nothing but line 1
  return file ? `${called} (${file}${at})` : called;
}

/** The most characters of a name. */
const longest = 100;

/** A text from a page as it may be printed: as package profile/view does it, and cut if it is long. */
function printable(text: string): string {
  const characters = [...text.slice(0, 4 * longest)];
  const cut = characters.length > longest ? [...characters.slice(0, longest - 1), "…"] : characters;
  return cut.map((character) => (/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character) ? character : escaped(character))).join("");
}

function escaped(character: string): string {
  const code = character.codePointAt(0)!;
  if (code >= 0xd800 && code < 0xe000) return "\ufffd";
  const hex = code.toString(16);
  return code < 0x80 ? `\\x${hex.padStart(2, "0")}` : code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\u{${hex}}`;
}
