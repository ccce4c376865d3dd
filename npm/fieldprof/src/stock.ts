import type { TreeFile } from "./types";

// The contents that both sides hold: see package transform/service. Once sent, contents are
// named by number, until the sender tells the receiver to forget them.

/** A file in a message. */
export interface Named {
  path: string;
  content?: number;
  size?: number;
  input?: number;
}

/** For how many messages unused contents are remembered: builds may alternate. */
const kept = 4;

interface Content {
  number: number;
  bytes: Uint8Array;
  turn: number;
}

/** The sender's side. */
export class Sent {
  private last = 0;
  private turn = 0;
  private readonly byPath = new Map<string, Content[]>();

  /** How a message names files, what the receiver may forget, and the body. */
  name(files: TreeFile[]): { files: Named[]; forget: number[]; body: Uint8Array[] } {
    this.turn++;
    const body: Uint8Array[] = [];
    const named = files.map(({ path, contents }): Named => {
      const earlier = this.byPath.get(path) ?? [];
      const known = earlier.find(({ bytes }) => equal(bytes, contents));
      if (known) {
        known.turn = this.turn;
        return { path, content: known.number };
      }
      // A copy, which slice() of a Buffer is not: the caller may change the original.
      const content = { number: ++this.last, bytes: new Uint8Array(contents), turn: this.turn };
      this.byPath.set(path, [...earlier, content]);
      body.push(content.bytes);
      return { path, content: content.number, size: content.bytes.length };
    });
    return { files: named, forget: this.forget(), body };
  }

  private forget(): number[] {
    const numbers: number[] = [];
    for (const [path, contents] of this.byPath) {
      const old = contents.filter(({ turn }) => this.turn - turn >= kept);
      if (old.length === 0) continue;
      numbers.push(...old.map(({ number }) => number));
      if (old.length === contents.length) this.byPath.delete(path);
      else this.byPath.set(path, contents.filter((content) => !old.includes(content)));
    }
    return numbers;
  }
}

/** The receiver's side. */
export class Received {
  private readonly byNumber = new Map<number, Uint8Array>();

  /** The files that an answer names. */
  take(named: Named[], forget: number[], body: Uint8Array, request: TreeFile[]): TreeFile[] {
    let at = 0;
    const files = named.map(({ path, content = 0, size, input }) => {
      if (input !== undefined) return { path, contents: request[input].contents };
      if (size !== undefined) this.byNumber.set(content, part(body, at, at += size));
      const contents = this.byNumber.get(content);
      if (!contents) throw new Error(`${path} has contents ${content}, which were never sent`);
      return { path, contents };
    });
    for (const number of forget) this.byNumber.delete(number);
    return files;
  }
}

/** A file of at least one such part of a body is a view, which keeps all of it in memory; smaller ones are copied. */
const largePart = 16;

const part = (body: Uint8Array, from: number, to: number) => ((to - from) * largePart >= body.length ? body.subarray(from, to) : body.slice(from, to));

/** Whether two arrays have the same bytes. */
function equal(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  if (typeof Buffer !== "undefined") return Buffer.compare(a, b) === 0;
  for (let i = 0; i < a.length; i++) {
    if (a[i] !== b[i]) return false;
  }
  return true;
}
