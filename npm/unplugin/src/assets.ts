// webpack and Rspack: instruments the assets of a compilation after they are minified and
// have their source maps, but before they are named by their contents.
import type { TreeFile } from "fieldprof";
import { resolve } from "node:path";
import { writeCopy, type Copy } from "../../plugin/copy";
import { copyOf } from "../../plugin/folders";
import { messageOf, Session } from "../../plugin/session";
import { divideTree, leftOutOf } from "../../plugin/tree";
import { Writer } from "../../plugin/writer";
import { heldTo, Veil } from "./integrity";
import { exactly, hasPages, type Settled } from "./settled";

// The part of their common interface that we use.
interface Source {
  buffer(): Uint8Array;
}
interface Compilation {
  getAssets(): readonly { name: string; source: Source; info?: { contenthash?: string | readonly string[] } }[];
  updateAsset(name: string, source: Source): void;
  deleteAsset(name: string): void;
  emitAsset(name: string, source: Source, info: { minimized: boolean; development: boolean }): void;
  getPath(template: string, data: object): string;
  entrypoints: ReadonlyMap<string, { getFiles(): readonly string[] }>;
  errors: { push(error: Error): unknown };
  warnings: { push(error: Error): unknown };
  hooks: { processAssets: { tapPromise(options: { name: string; stage: number }, work: () => Promise<void>): void } };
}
interface Hook<Arguments extends unknown[] = []> {
  tapPromise(name: string, work: (...args: Arguments) => Promise<void>): void;
}
interface Bundler {
  sources: { RawSource: new (contents: string | Buffer) => Source };
  Compilation: { PROCESS_ASSETS_STAGE_OPTIMIZE_HASH: number; PROCESS_ASSETS_STAGE_REPORT: number };
  WebpackError: new (message: string) => Error;
}
export interface Compiler {
  webpack: Bundler;
  context: string;
  outputPath: string;
  watchMode: boolean;
  options: { output: { hashSalt?: string; publicPath?: unknown }; optimization: { realContentHash?: boolean }; externalsPresets?: { web?: boolean } };
  hooks: {
    beforeRun: Hook;
    watchRun: Hook;
    afterEmit: Hook;
    done: Hook;
    shutdown: Hook;
    thisCompilation: { tap(name: string, work: (compilation: Compilation) => void): void };
  };
}

const name = "fieldprof";

/** The function that webpack calls once for each configuration. */
export function forAssets(settled: Settled) {
  return (given: unknown) => {
    if (process.env.WEBPACK_SERVE === "true" || process.env.RSPACK_SERVE === "true") return; // the development server is left alone
    const compiler = given as Compiler;
    const work = new AssetWork(compiler, settled);
    const { Compilation } = compiler.webpack;
    const stage = settled.both ? Compilation.PROCESS_ASSETS_STAGE_REPORT : Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_HASH - 1;
    compiler.hooks.beforeRun.tapPromise(name, () => work.salt());
    compiler.hooks.watchRun.tapPromise(name, () => work.salt());
    compiler.hooks.thisCompilation.tap(name, (compilation) => {
      compilation.hooks.processAssets.tapPromise({ name, stage }, () => work.instrument(compilation));
    });
    compiler.hooks.afterEmit.tapPromise(name, () => work.writeCopy());
    compiler.hooks.done.tapPromise(name, async () => {
      if (!compiler.watchMode) await work.end();
    });
    compiler.hooks.shutdown.tapPromise(name, () => work.end());
  };
}

class AssetWork {
  private readonly session: Session;
  private readonly writer = new Writer();
  private copy: Copy | undefined;
  private isSalted = false;

  constructor(
    private readonly compiler: Compiler,
    private readonly settled: Settled,
  ) {
    this.session = new Session(settled.service);
  }

  /**
   * Makes names that contain hashes of modules differ from those of the clean build; names
   * made of the contents (realContentHash) differ anyway.
   */
  async salt(): Promise<void> {
    if (this.isSalted) return;
    const salt = await this.session.salt().catch((error: unknown) => {
      if (this.settled.isFatal(error)) throw new Error(`fieldprof: ${messageOf(error)}`, { cause: error });
    });
    if (salt === undefined || this.settled.both) return;
    const { output } = this.compiler.options;
    output.hashSalt = [output.hashSalt, salt].filter(Boolean).join(" ");
    this.isSalted = true;
  }

  async instrument(compilation: Compilation): Promise<void> {
    const { service, both, strict } = this.settled;
    const place = both ? this.placeOf(compilation) : undefined;
    if (both && !place) return;
    const all = compilation.getAssets();
    const { inside: assets, leftOut } = divideTree(all, (asset) => pathOf(asset.name));
    for (const { item, why } of leftOut) this.say(compilation, `${item.name} ${why}: it is left as it is`, strict);
    const names = new Map(assets.map((asset) => [pathOf(asset.name), asset.name]));
    const renewsLater = !both && this.compiler.options.optimization.realContentHash;
    const veil = new Veil(renewsLater ? all : []);
    const tree = assets.map((asset) => ({ path: pathOf(asset.name), contents: veil.hide(asset.source.buffer()) }));
    // A page that is left as it is may have integrities of scripts.
    const held = heldTo(tree, leftOut.map(({ item }) => veil.hide(item.source.buffer())));
    for (const path of held) this.say(compilation, `${path} has an integrity in a file that is left as it is: so is it`, strict);
    try {
      const embed = service.embed ?? this.carriers(compilation, [...names.keys()]);
      const exclude = [...(service.exclude ?? []), ...held.map(exactly)];
      const { files, warnings } = await this.session.instrument(tree, { ...(embed.length > 0 && { embed }), ...(held.length > 0 && { exclude }) });
      for (const { text, location } of warnings) this.say(compilation, location ? `${location.file}:${location.line}:${location.column + 1}: ${text}` : text, strict);
      if (place) this.copy = { ...place, files };
      else this.give(compilation, names, tree, files, veil);
    } catch (error) {
      const isFatal = this.settled.isFatal(error);
      this.say(compilation, messageOf(error) + (isFatal ? "" : "; the output is clean"), isFatal);
    }
  }

  /** The folders of the output and its copy, or an error where there can be no copy. */
  private placeOf(compilation: Compilation): Omit<Copy, "files"> | undefined {
    const { context, outputPath } = this.compiler;
    const output = resolve(context, compilation.getPath(outputPath, {})); // without a slash at its end
    try {
      return { output, folder: copyOf(output, this.settled.profiledOutdir, context) };
    } catch (error) {
      this.say(compilation, messageOf(error), true);
      return undefined;
    }
  }

  private say(compilation: Compilation, text: string, isError: boolean): void {
    (isError ? compilation.errors : compilation.warnings).push(new this.compiler.webpack.WebpackError(`fieldprof: ${text}`));
  }

  /** Scripts for pages that are written elsewhere carry the runtime. */
  private carriers(compilation: Compilation, paths: string[]): string[] {
    if (!this.compiler.options.externalsPresets?.web || hasPages(paths)) return [];
    const firsts = [...compilation.entrypoints.values()].map((entry) => entry.getFiles().find((file) => /\.m?js$/.test(pathOf(file))));
    return [...new Set(firsts.flatMap((file) => (file === undefined ? [] : [exactly(pathOf(file))])))];
  }

  /** Puts the tree that was made in the place of the one that the bundler has. */
  private give(compilation: Compilation, names: Map<string, string>, tree: TreeFile[], files: TreeFile[], veil: Veil): void {
    const { RawSource } = this.compiler.webpack.sources;
    const clean = new Map(tree.map(({ path, contents }) => [path, contents]));
    for (const path of leftOutOf(tree, files)) compilation.deleteAsset(names.get(path)!);
    for (const { path, contents } of files) {
      const was = clean.get(path);
      if (was && Buffer.compare(was, contents) === 0) continue;
      const source = new RawSource(contentsOf(path, veil.show(contents)));
      const asset = names.get(path);
      if (asset === undefined) compilation.emitAsset(path, source, { minimized: true, development: /\.(map|functions\.json)$/.test(path) }); // not again, and as maps are, which have no limit of size
      else compilation.updateAsset(asset, source);
    }
  }

  /** With both variants, writes the profiled one next to the clean one. */
  async writeCopy(): Promise<void> {
    const { copy } = this;
    if (!copy) return;
    this.copy = undefined;
    await writeCopy(copy, this.writer);
  }

  end(): Promise<void> {
    return this.session.stop();
  }
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Texts are strings: the bundler updates hashes only in strings. */
function contentsOf(path: string, contents: Uint8Array): string | Buffer {
  return /\.(gz|br)$/.test(path) ? Buffer.from(contents) : decoder.decode(contents);
}

/** The path of an asset: its name without a query. */
const pathOf = (name: string) => name.replace(/\?.*$/, "");
