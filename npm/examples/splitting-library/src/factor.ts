import { sum, type Tree } from "./parse";
import type { Reader } from "./reader";

export function factor(reader: Reader): Tree {
  if (!reader.take("(")) return reader.number();
  const tree = sum(reader);
  reader.take(")");
  return tree;
}
