/** A file of a built tree. */
export interface TreeFile {
  /** With slashes, below the output folder. */
  path: string;
  contents: Uint8Array;
}

/** The options of the command line, in camel case. */
export interface Options {
  /** How much detail; default balanced. */
  preset?: "classic" | "balanced" | "fine" | "precise";
  /** Check loop-free functions with at least this many statements. */
  minStatements?: number;
  /** The sites to check. */
  checks?: ("entry" | "loop" | "exit")[];
  /** Compact checks are calls: half the bytes, and slower. */
  form?: "inline" | "compact";
  /** The most that a script may grow, after gzip: '3%' or 0.03. */
  maxGzip?: string | number;
  /** Globs over deployed paths and original sources: only these. */
  include?: string[];
  /** Globs over deployed paths and original sources: not these. */
  exclude?: string[];
  /** The URL that the tree is served at, if pages refer to it with a host. */
  publicPath?: string;
  /** Where ticks come from in pages. */
  clock?: "auto" | "shared" | "poll";
  /** Which Profiler pages get in browsers that have their own. */
  prefer?: "native" | "polyfill";
  /** Sample intervals of pages are multiples of this number of milliseconds: 10. */
  base?: number;
  /** A profile of a page ends itself if recording takes more than this share of the time that the page is busy: '5%' or 0.05. */
  maxRecording?: string | number;
  /** Pages get no Profiler where the browser refuses its own for lack of a Document-Policy. */
  obeyPolicy?: boolean;
  /** Wrap Worker, so that workers from blob: and data: URLs have a Profiler. */
  wrapWorkers?: boolean;
  /** When profiled pages fetch function tables; none leaves names to the readers of traces. */
  tables?: "early" | "late" | "none";
  /** Globs of classic scripts that start with the runtime. */
  embed?: string[];
  /** Keep the site clean, and add a profiled variant for this share of sessions: '1%' or 0.01. */
  sample?: string | number;
}

/** A warning and its location, in esbuild's form. */
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
   * The whole tree, in order of path. A file that was only copied has the same contents
   * object as was passed in, and an unchanged file the same as in an earlier result. So do
   * not modify them.
   */
  files: TreeFile[];
  warnings: Message[];
  /** The output of `instrument --json --no-sizes`. */
  report: object;
}

/** Where and how a tree is written. */
export interface Target {
  /** The absolute path of the folder. */
  into: string;
  /** The folder to which paths in errors are relative; by default none. */
  base?: string;
  /** Write nothing if there are warnings. */
  careful?: boolean;
}

/** A tree that the service has written. */
export interface Written {
  /** The whole tree, in order of path, with sizes in bytes. */
  files: { path: string; size: number }[];
  warnings: Message[];
  /** The output of `instrument --json --no-sizes`. */
  report: object;
}

/** A running service. */
export interface Service {
  /** The release of fieldprof. */
  readonly version: string;
  /** Whether it has access to the disk and so can write; WebAssembly has not. */
  readonly disk: boolean;
  /** Instruments a tree. A later call with some of the same files costs less. */
  instrument(files: TreeFile[], options?: Options, call?: { signal?: AbortSignal }): Promise<Result>;
  /**
   * Instruments a tree and writes it to a folder, which is cheaper than transferring it.
   * Files take their names when all are complete; an unchanged file is left alone, and a
   * file that an earlier call wrote and this one does not is removed. An error of the disk
   * has `writing`.
   */
  write(files: TreeFile[], target: Target, options?: Options, call?: { signal?: AbortSignal }): Promise<Written>;
  /** A text that identifies the release and all options that change the output. */
  salt(options?: Options): Promise<string>;
  /** Ends the service; pending calls are rejected. */
  stop(): Promise<void>;
}
