// Equal frames are one object, and so are equal stacks: the nodes of a trie.
// Comparing them is comparing references, and a program that samples the same stack
// a million times keeps one.
import { KeptMap } from "./kept";
import type { Frame, Stack } from "./stack";

/** The content of a line of a stack. Line and column count from 1; 0: unknown. */
export interface Position {
  url: string;
  line: number;
  column: number;
  name: string;
}

/** A frame, and where its function begins, which only V8 tells; 0: unknown. */
export class KnownFrame implements Frame {
  constructor(
    readonly url: string,
    readonly line: number,
    readonly column: number,
    readonly name: string,
    readonly startLine = 0,
    readonly startColumn = 0,
  ) {}
}

/** Most nodes have one child: the first one needs no map, which is several times as large as a node. */
class Node implements Stack {
  first: Node | null = null;
  others: Map<Frame, Node> | null = null;
  met = false;
  constructor(
    readonly frame: Frame,
    readonly parent: Node | null,
  ) {}
}

/** Nodes and frames that a generation of tables may hold. */
const most = 50_000;
/** Characters of whole stacks and lines that it may remember. */
const mostText = 4_000_000;

/**
 * The tables. When they are full a new generation begins: entries that captures hold
 * remain, the rest is garbage, and memory stays bounded.
 */
export class Tables {
  private frames = new KeptMap<string, KnownFrame>();
  private roots = new KeptMap<Frame, Node>();
  private nodes = 0;
  private text = 0;
  /** For V8, frames by script and position; null for code outside all scripts. */
  sites = new KeptMap<string, Map<number, KnownFrame | null>>();
  /** For other engines, frames by line, and stacks by their whole text. */
  lines = new KeptMap<string, KnownFrame | null>();
  stacks = new KeptMap<string, Stack | null>();

  /** Begins a new generation of what is full. Must not be called in the middle of a stack. */
  renew() {
    if (this.nodes > most) {
      this.roots = new KeptMap();
      this.stacks = new KeptMap();
      this.nodes = 0;
    }
    if (this.frames.size > most || this.text > mostText) Object.assign(this, new Tables());
  }

  /** Counts a text that is remembered. */
  remember(text: string) {
    this.text += text.length;
  }

  frame(position: Position, startLine?: number, startColumn?: number): KnownFrame {
    const key = `${position.line}:${position.column}:${position.name}\n${position.url}`;
    let frame = this.frames.get(key);
    if (!frame) {
      frame = new KnownFrame(position.url, position.line, position.column, position.name, startLine, startColumn);
      this.frames.set(key, frame);
    }
    return frame;
  }

  /** The stack of frames, given innermost first; null for none. */
  stack(frames: readonly Frame[]): Stack | null {
    let at: Node | null = null;
    for (let i = frames.length - 1; i >= 0; i--) at = this.child(at, frames[i]);
    return at;
  }

  private child(parent: Node | null, frame: Frame): Node {
    if (parent?.first?.frame === frame) return parent.first;
    const others = parent ? parent.others : this.roots;
    const known = others?.get(frame);
    if (known) return known;
    const node = new Node(frame, parent);
    this.nodes++;
    if (parent && !parent.first) parent.first = node;
    else (others || (parent!.others = new KeptMap())).set(frame, node);
    return node;
  }
}
