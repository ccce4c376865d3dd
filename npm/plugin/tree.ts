// Selects the part of a bundler's output that can be instrumented as one tree.

/** An item that is left out, and why. */
export interface LeftOut<Item> {
  item: Item;
  path: string;
  why: string;
}

/**
 * Divides outputs into a tree below the output folder and the rest: pages in another folder
 * (`../templates/index.html`) and duplicates. The service rejects trees with such paths.
 */
export function divideTree<Item>(items: readonly Item[], pathOf: (item: Item) => string): { inside: Item[]; leftOut: LeftOut<Item>[] } {
  const inside: Item[] = [];
  const leftOut: LeftOut<Item>[] = [];
  const paths = new Set<string>();
  for (const item of items) {
    const path = pathOf(item);
    const isOutside = !isBelow(path);
    if (!isOutside && !paths.has(path)) {
      paths.add(path);
      inside.push(item);
    } else {
      leftOut.push({ item, path, why: isOutside ? "is outside the output folder" : "is there twice" });
    }
  }
  return { inside, leftOut };
}

/**
 * The paths that a tree no longer has once it is instrumented: of files that are compressed from one with checks and
 * cannot be made again (`.zst`). A server would prefer them to that one.
 */
export function leftOutOf(tree: readonly { path: string }[], made: readonly { path: string }[]): string[] {
  const there = new Set(made.map(({ path }) => path));
  return tree.map(({ path }) => path).filter((path) => !there.has(path));
}

/** Whether a path with slashes is below a folder, by the rules of all systems. */
export function isBelow(path: string): boolean {
  if (path === "" || path.includes("\0") || /^[A-Za-z]:/.test(path)) return false;
  return path.split(/[/\\]/).every((name) => name !== "" && name !== "." && name !== "..");
}
