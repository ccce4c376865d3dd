// The part of Node that we use, declared by hand: the runtime has no dependencies, and
// pages must not get Node's types.

declare module "node:fs" {
  export function readFileSync(path: string | number, encoding: "utf8"): string;
  export function writeFileSync(path: string, contents: string | Uint8Array): void;
  export function readdirSync(path: string): string[];
  export function statSync(path: string): { isDirectory(): boolean };
  export function writeSync(file: number, text: string): void;
  export function renameSync(from: string, to: string): void;
  export function unlinkSync(path: string): void;
  export function existsSync(path: string): boolean;
  export function watch(path: string, changed: () => void): { unref(): void; on(event: "error", ignore: () => void): void };
}

declare module "node:fs/promises" {
  export function readFile(path: string | URL, options: { encoding: "utf8"; signal?: AbortSignal }): Promise<string>;
  export function stat(path: string | URL): Promise<{ size: number; mtimeMs: number }>;
}

declare module "node:child_process" {
  export function spawnSync(program: string, args: string[], options: object): { status: number | null; signal: string | null; stderr: string | null; error?: Error };
}

declare module "node:worker_threads" {
  export const isMainThread: boolean;
  export const threadId: number;
  export const workerData: unknown;
  export const parentPort: { postMessage(value: unknown): void; on(event: "message", hear: (value: never) => void): void } | null;
  export function setEnvironmentData(key: string, value: unknown): void;
  export function getEnvironmentData(key: string): unknown;
  export class Worker {
    constructor(script: string | URL, options: object);
    postMessage(value: unknown): void;
    on(event: string, hear: (value: never) => void): void;
    unref(): void;
  }
  export class BroadcastChannel {
    constructor(name: string);
    onmessage: ((event: { data: unknown }) => void) | null;
    postMessage(value: unknown): void;
    unref(): void;
  }
}

declare module "node:async_hooks" {
  export class AsyncLocalStorage<T> {
    run<R>(value: T, work: () => R): R;
    getStore(): T | undefined;
  }
}

declare module "node:zlib" {
  export function gzipSync(contents: Uint8Array | string): Uint8Array;
}

declare module "node:buffer" {
  export const Buffer: { from(contents: string | Uint8Array, encoding?: "base64"): { toString(encoding?: "base64"): string } };
}


declare module "node:module" {
  export default class Module {
    constructor(id: string, parent?: unknown);
    filename: string;
    paths: string[];
    loaded: boolean;
    _compile(code: string, file: string, format?: "commonjs"): void;
    static _nodeModulePaths(folder: string): string[];
    static createRequire(path: string): (id: string) => unknown;
  }
  export class SourceMap {
    constructor(payload: object);
    findEntry(line: number, column: number): { generatedLine: number; originalSource?: string; originalLine: number; originalColumn: number; name?: string };
  }
}

declare module "node:timers" {
  export function setImmediate(task: () => void): { unref(): void };
}

declare module "node:path" {
  export function dirname(path: string): string;
  export function basename(path: string, suffix?: string): string;
  export function extname(path: string): string;
  export function resolve(...parts: string[]): string;
  export function join(...parts: string[]): string;
}

declare module "node:url" {
  export function pathToFileURL(path: string): URL;
  export function fileURLToPath(url: URL | string): string;
}

declare module "node:perf_hooks" {
  export const performance: Performance;
  export class PerformanceObserver {
    constructor(observe: (list: { getEntries(): PerformanceEntry[] }) => void);
    observe(options: { entryTypes: string[] }): void;
    takeRecords(): PerformanceEntry[];
    disconnect(): void;
  }
}

declare module "node:os" {
  export const constants: { readonly signals: Record<string, number> };
}

declare module "node:process" {
  interface Process {
    argv: string[];
    readonly env: Record<string, string | undefined>;
    readonly pid: number;
    readonly connected?: boolean;
    readonly execPath: string;
    kill(pid: number, signal?: string | number): true;
    off(event: string, listener: (...values: never[]) => void): void;
    exitCode: number | undefined;
    mainModule: unknown;
    readonly stderr: { write(text: string): void };
    readonly hrtime: { bigint: () => bigint };
    cpuUsage(): { user: number; system: number };
    cwd(): string;
    exit(code?: number): never;
    reallyExit(code: number): never;
    /** Says whether the program handled an uncaught error. */
    _fatalException?(error: unknown, ofPromise: boolean): boolean;
    on(event: string, listener: (...values: never[]) => void): void;
    prependListener(event: string, listener: (...values: never[]) => void): void;
    listenerCount(event: string): number;
    listeners(event: string): ((...values: unknown[]) => void)[];
    nextTick(task: () => void): void;
    rawListeners(event: string): ((...values: never[]) => void)[];
    hasUncaughtExceptionCaptureCallback(): boolean;
  }
  const process: Process;
  export default process;
}
