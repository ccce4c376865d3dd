import { parse, type Tree } from "./parse";

export function print(text: string): string {
  return shown(parse(text));
}

function shown(tree: Tree): string {
  if (typeof tree === "number") return String(tree);
  return `(${tree.operator} ${shown(tree.left)} ${shown(tree.right)})`;
}
