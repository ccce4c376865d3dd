// A coordinator on the web: its worker is made from its text or, where a policy forbids that, from its
// file; and what a policy forbids is tried once, since browsers report each attempt.
import assert from "node:assert/strict";
import { word } from "../../src/clock/board";
import { Coordinator } from "../../src/clock/coordinator";
import { files } from "../../src/core/files";

Object.defineProperty(process, "getBuiltinModule", { value: undefined });
files.base = "https://a.example/fieldprof/";
let open = 0; // URLs of texts
let policy = "none";
let made: string[] = [];
URL.createObjectURL = () => `blob:https://a.example/${++open}`;
URL.revokeObjectURL = () => void open--;
globalThis.Worker = class {
  onmessage?: (event: object) => void;
  onerror?: (event: object) => void;
  private readonly fails: boolean;
  constructor(url: URL | string) {
    made.push(String(url));
    const forbidden = policy !== "none" && String(url).startsWith("blob:");
    if (forbidden && policy === "throws") throw new Error("refused");
    this.fails = forbidden;
  }
  postMessage() {
    queueMicrotask(() => (this.fails ? this.onerror?.({}) : this.onmessage?.({ data: word.State })));
  }
  terminate() {}
} as never;

const start = () =>
  new Promise<string[]>((done) => {
    made = [];
    const coordinator = new Coordinator(new Int32Array(new SharedArrayBuffer(8)), 1, { ready: () => done(made), ping() {}, failed: (why) => done([why]) });
    coordinator.start();
  });
const fromFile = "https://a.example/fieldprof/coordinator.js";

assert.deepEqual(await start(), ["blob:https://a.example/1"], "from its text");
assert.equal(open, 0, "whose URL is given up once it runs");
policy = "fails";
assert.deepEqual(await start(), ["blob:https://a.example/1", fromFile], "from its file");
assert.equal(open, 0, "the URL of what did not start is given up");
assert.deepEqual(await start(), [fromFile], "what is forbidden is not tried again");
assert.equal(open, 0);
