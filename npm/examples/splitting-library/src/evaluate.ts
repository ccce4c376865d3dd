import { parse, type Tree } from "./parse";

export function evaluate(text: string): number {
  return value(parse(text));
}

function value(tree: Tree): number {
  if (typeof tree === "number") return tree;
  const [left, operator, right] = [value(tree.left), tree.operator, value(tree.right)];
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    default:
      return left * right;
  }
}
