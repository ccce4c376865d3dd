// Parses sums of products. This module and factor.ts import each other.
import { factor } from "./factor";
import { Reader } from "./reader";

export type Tree = number | { operator: string; left: Tree; right: Tree };

export function parse(text: string): Tree {
  return sum(new Reader(text));
}

export function sum(reader: Reader): Tree {
  let tree = product(reader);
  for (let operator = reader.take("+-"); operator; operator = reader.take("+-")) {
    tree = { operator, left: tree, right: product(reader) };
  }
  return tree;
}

function product(reader: Reader): Tree {
  let tree = factor(reader);
  for (let operator = reader.take("*"); operator; operator = reader.take("*")) {
    tree = { operator, left: tree, right: factor(reader) };
  }
  return tree;
}
