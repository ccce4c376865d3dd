// Which function of one profile is which of another: view/match.go, for the page.
import type { Func } from "./profile";

/** Without the query of a URL, in which servers tell versions: app.js?v=41. */
const withoutQuery = (file: string) => file.replace(/(:\/\/[^?#]*)[?#].*/, "$1");

const inOrder = (functions: Func[]) => (a: number, b: number) => functions[a].line - functions[b].line || functions[a].column - functions[b].column;

const positionOf = ({ line, column }: Func) => `${line}:${column}`;

/**
 * The function before of each one now, or −1. They are matched by name and file, since code
 * moves. If several share both, those at the same position come first, then the others in
 * the order of the file.
 */
export function matched(before: Func[], now: Func[], usedBefore: Iterable<number>, usedNow: Iterable<number>): Int32Array {
  const earlier = new Int32Array(now.length).fill(-1);
  let [x, y] = [[...usedBefore], [...usedNow]];
  const [old, present] = [new Set(x.map((fn) => before[fn].file)), new Set(y.map((fn) => now[fn].file))];
  const shortened = (file: string) => (old.has(file) && present.has(file) ? file : withoutQuery(file));
  for (const nameOf of [(file: string) => file, shortened]) {
    const groups = new Map<string, [before: number[], now: number[]]>();
    const group = ({ name, file, kind }: Func) => {
      const key = `${kind}\n${name}\n${nameOf(file)}`;
      const known = groups.get(key) ?? [[], []];
      groups.set(key, known);
      return known;
    };
    for (const fn of x) group(before[fn])[0].push(fn);
    for (const fn of y) group(now[fn])[1].push(fn);
    for (const [left, right] of groups.values()) pair(left, right);
    const taken = new Set(earlier);
    x = x.filter((fn) => !taken.has(fn));
    y = y.filter((fn) => earlier[fn] < 0);
  }
  return earlier;

  function pair(left: number[], right: number[]) {
    const at = new Map(left.map((fn) => [positionOf(before[fn]), fn]));
    const moved = right.filter((fn) => {
      const position = positionOf(now[fn]);
      const same = at.get(position);
      if (same === undefined) return true;
      at.delete(position);
      earlier[fn] = same;
      return false;
    });
    const taken = new Set(right.map((fn) => earlier[fn]));
    const rest = left.filter((fn) => !taken.has(fn)).sort(inOrder(before));
    moved.sort(inOrder(now)).forEach((fn, i) => (earlier[fn] = rest[i] ?? -1));
  }
}
