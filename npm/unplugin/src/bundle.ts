// Rollup, Rolldown and Vite: instruments the bundle when all plugins are done, just before
// it is written.
import type { Message, Options, TreeFile } from "fieldprof";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { messageOf, Session } from "../../plugin/session";
import { divideTree, leftOutOf } from "../../plugin/tree";
import { Copies, folderOf, type OutputOptions } from "./copies";
import { Legacy, type LegacyConfig } from "./legacy";
import { hiddenMaps, moved, reversed } from "./maps";
import { readPublic, type PublicFiles } from "./public";
import { exactly, hasPages, type Settled } from "./settled";

// The part of their common interface that we use.
interface Chunk {
  type: "chunk";
  code: string;
  isEntry: boolean;
  map: object | null;
  sourcemapFileName?: string | null;
}
interface Asset {
  type: "asset";
  source: string | Uint8Array;
}
type Bundle = Record<string, Chunk | Asset>;
interface Log {
  message: string;
  loc?: { file: string; line: number; column: number };
}
interface Context {
  meta: { watchMode?: boolean };
  /** Vite's, from version 6. */
  environment?: { config: ViteConfig };
  warn(log: Log): void;
  error(log: Log): never;
  emitFile(file: { type: "asset"; fileName: string; source: Uint8Array }): string;
}
interface ViteConfig extends LegacyConfig {
  root: string;
  base: string;
  publicDir: string;
  build: { copyPublicDir: boolean };
}

/** The hooks of the plugin; Vite has additional ones. */
export function forBundle(settled: Settled) {
  const work = new BundleWork(settled);
  const rollup = {
    async renderStart(this: Context) {
      await work.begin(this);
    },
    augmentChunkHash(this: Context) {
      return work.saltOf(this);
    },
    generateBundle: {
      order: "post" as const,
      async handler(this: Context, output: OutputOptions, bundle: Bundle, isWrite: boolean) {
        await work.instrument(this, output, bundle, isWrite);
      },
    },
    async writeBundle(this: Context, output: OutputOptions) {
      await work.written(this, output);
    },
    async closeBundle(this: Context) {
      if (!this.meta.watchMode) await work.end();
      work.closed(this);
    },
    closeWatcher: () => work.end(),
  };
  const vite = {
    ...rollup,
    apply: "build" as const, // the development server is left alone
    configResolved: (config: ViteConfig) => work.configure(config),
  };
  return { rollup, vite };
}

/** The work on all builds that a plugin is in: builds, and environments of one, may share it. */
class BundleWork {
  private readonly session: Session;
  private readonly copies = new Copies();
  /** The salts of names, by the options that the configuration adds. */
  private readonly salts = new Map<string | undefined, string>();
  /** Public files that Vite copies and that the output is not to have. */
  private readonly stale = new WeakMap<OutputOptions, string[]>();
  private readonly legacy = new Legacy();
  /** The latest configuration, for a Vite whose hooks do not tell theirs. */
  private vite: ViteConfig | undefined;

  constructor(private readonly settled: Settled) {
    this.session = new Session(settled.service);
  }

  configure(config: ViteConfig): void {
    this.vite = config;
  }

  private configOf({ environment }: Context): ViteConfig | undefined {
    return environment?.config ?? this.vite;
  }

  /** The options that follow from Vite's configuration. */
  private placeOf(context: Context): Pick<Options, "publicPath"> {
    const { publicPath } = this.settled.service;
    const base = this.configOf(context)?.base ?? "";
    return { publicPath: publicPath ?? (/^(https?:)?\/\//.test(base) ? base : undefined) };
  }

  /** Makes the names of profiled chunks differ from those of clean ones. */
  async begin(context: Context): Promise<void> {
    try {
      const place = this.placeOf(context);
      const salt = await this.session.salt(place);
      if (!this.settled.both) this.salts.set(place.publicPath, salt);
    } catch (error) {
      this.failed(context, error);
    }
  }

  saltOf(context: Context): string | undefined {
    return this.salts.get(this.placeOf(context).publicPath);
  }

  async instrument(context: Context, output: OutputOptions, bundle: Bundle, isWrite: boolean): Promise<void> {
    const { both, service } = this.settled;
    const config = this.configOf(context);
    const folder = both && isWrite ? this.copyFolder(context, output) : undefined;
    const { inside, leftOut } = divideTree(Object.keys(bundle), (path) => path);
    for (const { path, why } of leftOut) this.say(context, { text: `${path} ${why}: it is left as it is`, location: null });
    const own = inside.map((path) => fileOf(path, bundle[path]));
    if (config && this.legacy.has(config, bundle)) {
      if (folder !== undefined) this.copies.keep(output, { folder, files: own, others: [] });
      return;
    }
    try {
      const { files: more, others } = await publicFiles(config, bundle);
      const tree: TreeFile[] = [...own, ...more];
      const embed = service.embed ?? carriers(output, bundle);
      const hidden = hiddenMaps(bundle);
      const { files: made, warnings } = await this.session.instrument(moved(tree, hidden), { ...this.placeOf(context), ...(embed.length > 0 && { embed }) });
      const files = moved(made, reversed(hidden));
      for (const warning of warnings) this.say(context, warning);
      if (folder !== undefined) this.copies.keep(output, { folder, files, others });
      else if (!both) {
        give(context, bundle, tree, files, isWrite);
        this.stale.set(output, leftOutOf(more, files));
      }
    } catch (error) {
      this.failed(context, error);
    }
  }

  private copyFolder(context: Context, output: OutputOptions): string {
    try {
      return this.copies.folderFor(output, this.settled.profiledOutdir, this.configOf(context)?.root ?? process.cwd());
    } catch (error) {
      context.error({ message: messageOf(error) });
    }
  }

  /** Reports a failure: one warning, or an error if the build is strict. */
  private failed(context: Context, error: unknown): void {
    const message = messageOf(error);
    if (this.settled.isFatal(error)) context.error({ message });
    context.warn({ message: `${message}; the output is clean` });
  }

  /** Reports a warning, which is an error if the build is strict. */
  private say(context: Context, { text, location }: Message): void {
    const log = location ? { message: `${location.file}:${location.line}:${location.column + 1}: ${text}`, loc: location } : { message: text };
    if (this.settled.strict) context.error(log);
    context.warn(log);
  }

  /** Ends the work on an output that is written: with both variants, writes the profiled one next to the clean one. */
  async written(context: Context, output: OutputOptions): Promise<void> {
    for (const path of this.stale.get(output) ?? []) await rm(join(folderOf(output), path), { force: true });
    await this.copies.write(output, context.meta.watchMode === true);
  }

  end(): Promise<void> {
    return this.session.stop();
  }

  /** Ends the work on a build. */
  closed(context: Context): void {
    const config = this.configOf(context);
    const alone = config && this.legacy.alone(config);
    if (alone === undefined) return;
    const text = "this output is for browsers without modules, which take no checks, and there is no other: it is clean";
    this.say(context, { text, location: { file: alone, line: 1, column: 0 } });
  }
}

async function publicFiles(config: ViteConfig | undefined, bundle: Bundle): Promise<PublicFiles> {
  if (!config?.publicDir || !config.build.copyPublicDir) return { files: [], others: [] };
  return readPublic(config.publicDir, (path) => Object.hasOwn(bundle, path));
}

/** Scripts for pages that are written elsewhere carry the runtime. */
function carriers({ format }: OutputOptions, bundle: Bundle): string[] {
  if (format !== "iife" || hasPages(Object.keys(bundle))) return [];
  return Object.entries(bundle).flatMap(([path, file]) => (file.type === "chunk" && file.isEntry ? [exactly(path)] : []));
}

/** Puts what changed and what was added into the bundle, and takes out what was left out. */
function give(context: Context, bundle: Bundle, tree: TreeFile[], files: TreeFile[], isWrite: boolean): void {
  const clean = new Map(tree.map(({ path, contents }) => [path, contents]));
  const profiled = new Map(files.map(({ path, contents }) => [path, contents]));
  for (const path of leftOutOf(tree, files)) delete bundle[path];
  for (const [path, contents] of profiled) {
    const was = clean.get(path);
    if (was && Buffer.compare(was, contents) === 0) continue;
    const file = bundle[path];
    if (file?.type === "asset") {
      file.source = contents;
    } else if (file?.type === "chunk") {
      file.code = decode(contents);
      const map = profiled.get(file.sourcemapFileName ?? path + ".map");
      if (map && !isWrite && file.map) file.map = asMap(decode(map)); // for code that uses the bundle in memory
    } else {
      context.emitFile({ type: "asset", fileName: path, source: contents });
    }
  }
}

function asMap(text: string): object {
  const url = () => `data:application/json;charset=utf-8;base64,${Buffer.from(text).toString("base64")}`;
  return Object.defineProperties(JSON.parse(text) as object, { toString: { value: () => text }, toUrl: { value: url } });
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const bytes = (source: string | Uint8Array) => (typeof source === "string" ? encoder.encode(source) : source);
const fileOf = (path: string, file: Chunk | Asset): TreeFile => ({ path, contents: bytes(file.type === "chunk" ? file.code : file.source) });
const decode = (contents: Uint8Array) => decoder.decode(contents);
