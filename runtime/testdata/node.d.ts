// The parts of Node that the tests use.
declare module "node:assert/strict" {
  interface Assert {
    (value: unknown, message?: string): asserts value;
    ok(value: unknown, message?: string): asserts value;
    equal(actual: unknown, expected: unknown, message?: string): void;
    notEqual(actual: unknown, expected: unknown, message?: string): void;
    deepEqual(actual: unknown, expected: unknown, message?: string): void;
    match(actual: string, expected: RegExp, message?: string): void;
    doesNotMatch(actual: string, expected: RegExp, message?: string): void;
    throws(does: () => unknown, expected?: unknown, message?: string): void;
    fail(message?: string): never;
  }
  const assert: Assert;
  export default assert;
}

declare module "node:fs" {
  export function appendFileSync(path: string, text: string): void;
  export function mkdirSync(path: string, options?: { recursive: true }): void;
  export function rmdirSync(path: string): void;
}

declare module "node:console" {
  import type { Writable } from "node:stream";
  export class Console {
    constructor(streams: { stdout: Writable; stderr: Writable });
  }
}

declare module "node:stream" {
  export class Writable {
    constructor(options: { write(text: Uint8Array, encoding: string, done: () => void): void });
  }
}

declare module "node:util" {
  export function format(...values: unknown[]): string;
}

declare module "node:worker_threads" {
  interface Worker {
    terminate(): Promise<number>;
  }
}

declare module "node:events" {
  export class EventEmitter {
    once(event: string, hear: () => void): void;
    emit(event: string): void;
  }
}

declare const Buffer: {
  byteLength(text: string): number;
  from(data: unknown, encoding?: string): Uint8Array & { toString(encoding?: string): string };
};

declare module "node:v8" {
  export function setFlagsFromString(flags: string): void;
}

declare module "node:vm" {
  export function runInNewContext(code: string): unknown;
}
