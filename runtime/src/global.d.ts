// Globals that a realm may have in addition to those of the web.

declare namespace node {
  interface Modules {
    worker_threads: { Worker: new (source: string, options: object) => NodeWorker; readonly isMainThread: boolean };
    fs: { openSync(path: string, flags: string): number; readSync(file: number, into: Uint8Array, offset: number, length: number, position: number): number };
    "fs/promises": import("./trace/disk").Files;
  }
  interface NodeWorker {
    on(event: string, hear: (value: unknown) => void): void;
    terminate(): unknown;
    unref(): void;
  }
}

declare var process: { readonly platform: string; readonly pid: number; readonly env: Record<string, string | undefined>; getBuiltinModule?<K extends keyof node.Modules>(name: K): node.Modules[K] } | undefined;

interface ErrorConstructor {
  stackTraceLimit?: number;
  prepareStackTrace?: unknown;
}

interface MessagePort {
  /** Node's way to listen, and not to wait for messages. Pages may have an `on` of their own. */
  on?(event: string, hear: () => void): this;
  unref?(): void;
}
