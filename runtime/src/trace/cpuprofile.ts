// A .cpuprofile in deployed positions, as explained in profile/format/cpuprofile/doc.go:
// every tick is one slot of one interval, so that viewers that count hits and viewers
// that add up deltas agree.
import { byCheck, GC, Idle, Program } from "../core/kinds";
import type { Recording } from "../recording/recording";
import { attributed, type Attributed } from "./attributed";
import { cleanText, cleanURL } from "./clean";
import type { Fn } from "./functions";

interface CallFrame {
  functionName: string;
  scriptId: string;
  url: string;
  /** From 0; -1: unknown. */
  lineNumber: number;
  columnNumber: number;
}

interface ProfileNode {
  id: number;
  callFrame: CallFrame;
  hitCount: number;
  children?: number[];
}

/** The most slots of a file: eleven hours at 10 ms. */
const most = 4_000_000;

/** The names in viewers for the time of samples that no check took. */
const pseudo: Record<number, string> = { [Idle]: "(idle)", [Program]: "(program)", [GC]: "(garbage collector)" };

/** The profile, as an object for JSON. */
export async function cpuprofile(recording: Recording): Promise<object> {
  return cpuprofileOf(recording, await attributed(recording));
}

/** The profile of a recording that is attributed. */
export function cpuprofileOf(recording: Recording, found: Attributed): object {
  const tree = new Tree(found);
  const interval = recording.interval * 1000;
  const startTime = Math.round(recording.started * 1000);
  const samples: number[] = [];
  const timeDeltas: number[] = [];
  let ended = 0; // microseconds since the start
  const slot = (id: number) => {
    const begin = Math.floor(samples.length * interval);
    samples.push(id);
    timeDeltas.push(begin - ended);
    ended = begin;
  };
  found.each((_time, stack, kind, weight) => {
    const node = !byCheck(kind) || stack < 0 ? tree.pseudo(pseudo[kind] || pseudo[Program]) : tree.nodes[stack + 1];
    for (let i = 0; i < weight && samples.length < most; i++) {
      node.hitCount++;
      slot(node.id);
    }
  });
  slot(tree.nodes[0].id);
  return { nodes: tree.nodes, startTime, endTime: startTime + ended, samples, timeDeltas };
}

/** Node 0 is (root), node i + 1 is stack i, pseudo-functions follow. */
class Tree {
  readonly nodes: ProfileNode[] = [];
  private readonly pseudos = new Map<string, ProfileNode>();
  private readonly scripts = new Map<string, string>();

  constructor(found: Attributed) {
    this.add(named("(root)"));
    found.owners.forEach((owner, i) => this.add(this.frame(found.functions[owner]), found.parents[i] + 1));
  }

  private add(callFrame: CallFrame, parent?: number): ProfileNode {
    const node: ProfileNode = { id: this.nodes.length + 1, callFrame, hitCount: 0 };
    this.nodes.push(node);
    if (parent !== undefined) (this.nodes[parent].children ||= []).push(node.id);
    return node;
  }

  pseudo(name: string): ProfileNode {
    let node = this.pseudos.get(name);
    if (!node) this.pseudos.set(name, (node = this.add(named(name), 0)));
    return node;
  }

  private frame({ name, url, line, column }: Fn): CallFrame {
    let scriptId = this.scripts.get(url);
    if (!scriptId) this.scripts.set(url, (scriptId = String(this.scripts.size + 1)));
    return { functionName: cleanText(name), scriptId, url: cleanURL(url), lineNumber: line - 1, columnNumber: column - 1 };
  }
}

function named(functionName: string): CallFrame {
  return { functionName, scriptId: "0", url: "", lineNumber: -1, columnNumber: -1 };
}
