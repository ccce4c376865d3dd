import { log } from './log.mjs';
import describe, { started } from './entry.mjs';

export class Tree {
  constructor(leaves) {
    this.leaves = leaves;
  }
  get size() {
    return this.leaves.length;
  }
  *[Symbol.iterator]() {
    for (const leaf of this.leaves) yield leaf;
  }
}

export function grow(size) {
  return size ? new Tree([...grow(size - 1), size]) : new Tree([]);
}

log('tree', describe(grow(2)), started());
