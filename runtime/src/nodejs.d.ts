// The part of Node that we use, declared by hand: the runtime has no dependencies, and
// pages must not get Node's types.

declare module "node:fs" {
  export function readFileSync(path: string, encoding: "utf8"): string;
  export function writeFileSync(path: string, text: string): void;
  export function renameSync(from: string, to: string): void;
  export function unlinkSync(path: string): void;
  export function existsSync(path: string): boolean;
  export function watch(path: string, changed: () => void): { unref(): void; on(event: "error", ignore: () => void): void };
}

declare module "node:fs/promises" {
  export function readFile(path: string | URL, options: { encoding: "utf8"; signal: AbortSignal }): Promise<string>;
  export function stat(path: string | URL): Promise<{ size: number }>;
}

declare module "node:child_process" {
  export function spawnSync(program: string, args: string[], options: object): { status: number | null; stderr: string | null };
}

declare module "node:worker_threads" {
  export const isMainThread: boolean;
}

declare module "node:module" {
  export default class Module {
    constructor(id: string, parent?: unknown);
    filename: string;
    paths: string[];
    loaded: boolean;
    _compile(code: string, file: string, format?: "commonjs"): void;
    static _nodeModulePaths(folder: string): string[];
  }
}

declare module "node:timers" {
  export function setImmediate(task: () => void): void;
}

declare module "node:path" {
  export function dirname(path: string): string;
  export function basename(path: string, suffix?: string): string;
  export function extname(path: string): string;
  export function resolve(path: string): string;
}

declare module "node:url" {
  export function pathToFileURL(path: string): URL;
  export function fileURLToPath(url: URL): string;
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

declare module "node:process" {
  interface Process {
    argv: string[];
    readonly env: Record<string, string | undefined>;
    readonly pid: number;
    readonly execPath: string;
    kill(pid: number, signal: string): void;
    off(event: string, listener: (...values: never[]) => void): void;
    exitCode: number | undefined;
    mainModule: unknown;
    readonly stderr: { write(text: string): void };
    cpuUsage(): { user: number; system: number };
    cwd(): string;
    exit(code?: number): never;
    reallyExit(code: number): never;
    on(event: string, listener: (...values: never[]) => void): void;
    listenerCount(event: string): number;
    hasUncaughtExceptionCaptureCallback(): boolean;
  }
  const process: Process;
  export default process;
}
