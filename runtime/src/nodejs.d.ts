// What we use of Node, declared by hand: the page has no dependencies, and its
// types must not become Node's.

declare module "node:fs" {
  export function readFileSync(path: string, encoding: "utf8"): string;
  export function writeFileSync(path: string, text: string): void;
  export function renameSync(from: string, to: string): void;
  export function existsSync(path: string): boolean;
  export function watch(path: string, changed: () => void): { unref(): void; on(event: "error", ignore: () => void): void };
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

declare module "node:path" {
  export function dirname(path: string): string;
}

declare module "node:url" {
  export function pathToFileURL(path: string): URL;
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
