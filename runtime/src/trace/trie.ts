// A trie of stacks by index: a stack is the owner of its top frame and the caller's
// stack, which comes first. The caller of the constructor defines what an owner is.
import type { Frame, Stack } from "../stacks/stack";

export class Trie {
  /** For each stack the index of its caller's, -1 without one, and of its owner. */
  readonly parents: number[] = [];
  readonly owners: number[] = [];
  private readonly known = new Map<Stack, number>();
  private readonly children = new Map<number, number>();

  constructor(
    private readonly callerOf: (stack: Stack) => Stack | null,
    /** The index of a frame's owner, given its caller's (-1: none); -1 for frames that must not show. */
    private readonly ownerOf: (frame: Frame, caller: number) => number,
    /** How many stacks there may be; further ones are taken for their callers'. */
    private readonly most = Infinity,
  ) {}

  get isFull() {
    return this.parents.length >= this.most;
  }

  /** Lets go of the stacks that were looked up; their indices remain. */
  forget() {
    this.known.clear();
  }

  /** The index of a stack without the frames that must not show; -1 if none remain. */
  of(stack: Stack | null): number {
    const passed: Stack[] = [];
    let id = -1;
    for (let at = stack; at; at = this.callerOf(at)) {
      const known = this.known.get(at);
      if (known !== undefined) {
        id = known;
        break;
      }
      passed.push(at);
    }
    for (const inner of passed.reverse()) {
      const owner = this.ownerOf(inner.frame, id < 0 ? -1 : this.owners[id]);
      if (owner >= 0) id = this.child(id, owner);
      this.known.set(inner, id);
    }
    return id;
  }

  private child(parent: number, owner: number): number {
    const key = (parent + 1) * 0x2000000 + owner;
    let id = this.children.get(key);
    if (id === undefined) {
      if (this.isFull) return parent;
      this.children.set(key, (id = this.parents.length));
      this.parents.push(parent);
      this.owners.push(owner);
    }
    return id;
  }
}
