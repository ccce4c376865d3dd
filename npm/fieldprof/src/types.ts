/** A file of a built tree. */
export interface TreeFile {
  /** With slashes, below the output folder. */
  path: string;
  contents: Uint8Array;
}

/** The options of the command line, in camel case. */
export interface Options {
  /** How much detail; balanced unless told. */
  preset?: "classic" | "balanced" | "fine" | "precise";
  /** Check loop-free functions from so many statements on. */
  minStatements?: number;
  /** The kinds of sites to check. */
  checks?: ("entry" | "loop" | "exit")[];
  /** Compact checks are calls: half the bytes, and slower. */
  form?: "inline" | "compact";
  /** Let no script grow by more after gzip: '3%' or 0.03. */
  maxGzip?: string | number;
  /** Globs over deployed paths and original sources: only these. */
  include?: string[];
  /** Globs over deployed paths and original sources: not these. */
  exclude?: string[];
  /** The URL that the tree is served under, where pages name it with a host. */
  publicPath?: string;
  /** Where ticks come from in pages. */
  clock?: "auto" | "shared" | "poll";
  /** Whose Profiler pages get in browsers that have one. */
  prefer?: "native" | "polyfill";
  /** Globs of classic scripts that carry the runtime in front of themselves. */
  embed?: string[];
  /** Keep the site clean, with the profiled variant beside it for this share of sessions: '1%' or 0.01. */
  sample?: string | number;
}

/** A warning and the place it speaks of, as esbuild has them. */
export interface Message {
  text: string;
  location: {
    file: string;
    /** From 1. */
    line: number;
    /** From 0, in bytes. */
    column: number;
  } | null;
}

/** An instrumented tree. */
export interface Result {
  /**
   * The whole tree, in order of path. A file that was only copied has the
   * contents it was given with, and one that is as in an earlier result has that
   * one's: the same object. So do not change them.
   */
  files: TreeFile[];
  warnings: Message[];
  /** What `instrument --json --no-sizes` prints. */
  report: object;
}

/** Where a tree is written to, and how. */
export interface Target {
  /** The absolute path of the folder. */
  into: string;
  /** The folder from which errors name files; none unless told. */
  base?: string;
  /** Write nothing where there are warnings. */
  careful?: boolean;
}

/** A tree that the service has written. */
export interface Written {
  /** The whole tree, in order of path, with sizes in bytes. */
  files: { path: string; size: number }[];
  warnings: Message[];
  /** What `instrument --json --no-sizes` prints. */
  report: object;
}

/** A running service. */
export interface Service {
  /** The release of fieldprof. */
  readonly version: string;
  /** Whether it sees the disk, as WebAssembly does not: only then can it write. */
  readonly disk: boolean;
  /** Instruments a tree. A later call with some of the same files costs less. */
  instrument(files: TreeFile[], options?: Options, call?: { signal?: AbortSignal }): Promise<Result>;
  /**
   * Instruments a tree and writes it to a folder, which costs less than to carry
   * it over. Each file takes its name when it is complete, none before all are;
   * one that is there already is left alone, and one that an earlier call wrote
   * there and this one does not is removed. An error of the disk has `writing`.
   */
  write(files: TreeFile[], target: Target, options?: Options, call?: { signal?: AbortSignal }): Promise<Written>;
  /** A text that names the release and all options that change what comes out. */
  salt(options?: Options): Promise<string>;
  /** Ends the service; calls that wait for an answer are rejected. */
  stop(): Promise<void>;
}
