// Instruments what esbuild is about to write: one pass over final code, whichever languages
// and plugins made it.
import type { BuildOptions, BuildResult, Metafile, OnEndResult, OutputFile, PartialMessage, PluginBuild } from "esbuild";
import type { Message, Options, TreeFile } from "fieldprof";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { isOption, isWriting, messageOf, Session } from "../../plugin/session";
import { Writer, type Output } from "../../plugin/writer";
import { carriers, entriesNeedMetafile } from "./carriers";
import { failure, messages, reported } from "./messages";
import { renew, type Imports, type Sized } from "./metafile";
import { foldersOf, isMoved, within, type Folders } from "./folders";
import type { Settled } from "./options";
import { endangered, mayOverwrite, overwritten, sourcesOf } from "./overwrite";

/** Instruments the output at the end of each build of a context. */
export async function atOutput(build: PluginBuild, options: Settled): Promise<void> {
  const initial = build.initialOptions;
  const { strict } = options.build;
  const folders = foldersOf(initial, options);
  if (!folders) {
    const text = 'without "outdir" or "outfile" there is no place for the runtime and the function tables: the output is clean';
    build.onStart(() => reported([{ text }], strict));
    return;
  }
  const session = new Session(options.service);
  build.onDispose(() => void session.stop());
  const wanted = wantedOf(initial, folders);
  take(initial, "write", false, (value) => (wanted.write = value !== false || isMoved(folders))); // onEnd writes instead
  if (entriesNeedMetafile(initial) || wanted.sources) take(initial, "metafile", true, (value) => (wanted.metafile = value === true));
  const salting = session.salt();
  salting.catch(() => {}); // onStart reports it
  if (options.build.variant !== "both" && namesHoldHashes(initial)) await salt(initial, salting);
  build.onStart(async () => {
    release(initial);
    const first = await salting.then(() => undefined, (error: unknown) => error);
    if (isOption(first)) return { errors: [{ text: messageOf(first), detail: first }] };
    return { warnings: folders.warnings.map((text) => ({ text })) };
  });
  const work = new Work(build, options, folders, session, wanted);
  build.onEnd((result) => work.end(result));
}

/** The user's options, where the plugin changes the build's. */
interface Wanted {
  write: boolean;
  metafile: boolean;
  /** Whether no source may be overwritten. */
  sources: boolean;
}

function wantedOf(initial: BuildOptions, folders: Folders): Wanted {
  // If esbuild's server is to look on the disk, files must be written.
  const write = initial.write !== false || isMoved(folders);
  return { write, metafile: initial.metafile === true, sources: write && !mayOverwrite(initial, folders) };
}

/** Sets an option for esbuild, and hears what plugins with a later turn want it to be. */
function take<K extends "write" | "metafile">(initial: BuildOptions, name: K, value: boolean, hear: (wanted: unknown) => void): void {
  Object.defineProperty(initial, name, { get: () => value, set: hear, enumerable: true, configurable: true });
}

/** Makes the options plain ones again: the object may be that of the caller, who may build with it once more. */
function release(initial: BuildOptions): void {
  for (const name of ["write", "metafile"] as const) {
    if (name in initial) Object.defineProperty(initial, name, { value: initial[name], writable: true, enumerable: true, configurable: true });
  }
}

/** Whether names of scripts contain a hash of the contents. */
function namesHoldHashes({ entryNames = "", chunkNames = "[hash]", splitting }: BuildOptions): boolean {
  return entryNames.includes("[hash]") || (splitting === true && chunkNames.includes("[hash]"));
}

/**
 * Gives profiled files names of their own: esbuild hashes files before the checks go in, so
 * a comment in them identifies the checks.
 */
async function salt(initial: BuildOptions, salting: Promise<string>): Promise<void> {
  const text = await salting.catch(() => undefined);
  if (text === undefined) return; // without a service the output is clean
  const comment = `/* ${text} */`;
  const { js } = initial.banner ?? {};
  const both = js?.startsWith("#!") ? [js, comment] : [comment, js]; // valid only in the first line
  initial.banner = { ...initial.banner, js: both.filter(Boolean).join("\n") };
}

/** The work at the end of each build. */
class Work {
  private readonly writer = new Writer();

  constructor(
    private readonly build: PluginBuild,
    private readonly options: Settled,
    private readonly folders: Folders,
    private readonly session: Session,
    private readonly wanted: Wanted,
  ) {}

  async end(result: BuildResult): Promise<OnEndResult | undefined> {
    const { outputFiles, metafile } = result;
    if (!outputFiles || result.errors.length > 0) return undefined; // esbuild writes nothing either
    if (!this.wanted.metafile) delete result.metafile;
    const clean = this.inPlace(outputFiles);
    const sources = sourcesOf(this.wanted.sources ? metafile : undefined, this.folders);
    const { strict } = this.options.build;
    const { files, sizes, said, imports, unwritten } = await this.profile(clean, metafile, sources);
    const refused = overwritten(files, sources, this.folders);
    if (refused.length > 0) return { errors: refused, warnings: said };
    if (result.metafile) renew(result.metafile, this.folders, sizes, imports);
    if (this.wanted.write) delete result.outputFiles; // as when esbuild writes
    else result.outputFiles = files;
    if (unwritten !== undefined) return { errors: [notWritten(unwritten)], warnings: said };
    if (strict && said.length > 0) return { errors: said };
    if (this.wanted.write) {
      try {
        await this.writer.write(files, new Set(sizes.map(({ path }) => path)));
      } catch (error) {
        return { errors: [notWritten(error)], warnings: said };
      }
    }
    return { warnings: said };
  }

  /** The outputs with the paths that the user wants. */
  private inPlace(outputs: OutputFile[]): OutputFile[] {
    const { built, root } = this.folders;
    if (!isMoved(this.folders)) return outputs;
    return outputs.map((file) => {
      const path = within(built, file.path);
      return path === undefined ? file : output(join(root, path), file.contents, file.hash);
    });
  }

  /** The outputs of the build, with checks if the service succeeds. */
  private async profile(clean: OutputFile[], metafile: Metafile | undefined, sources: ReadonlySet<string>): Promise<Made> {
    const { folders } = this;
    const { strict } = this.options.build;
    const tree: TreeFile[] = [];
    const outside: OutputFile[] = [];
    for (const file of clean) {
      const path = within(folders.root, file.path);
      if (path !== undefined) tree.push({ path, contents: file.contents });
      else outside.push(file);
    }
    const said: PartialMessage[] = outside.map(({ path }) => ({ text: `${path} is outside the output folder: it is clean` }));
    try {
      const embed = embedOf(this.options.service.embed ?? carriers(this.build.initialOptions, tree, metafile, folders));
      const writes = this.wanted.write && !(strict && said.length > 0) && !endangered(sources, folders) && (await this.session.disk());
      const { warnings, ...made } = await (writes ? this.written(clean, outside, tree, embed) : this.carried(clean, tree, embed));
      said.push(...messages(folders, warnings, new Map(tree.map(({ path, contents }) => [path, contents]))));
      return { ...made, said };
    } catch (error) {
      const unwritten = isWriting(error) ? error : undefined;
      if (unwritten === undefined) said.push(...failure(error, strict));
      return { files: clean, sizes: clean.map(sizeOf), said, imports: new Map(), unwritten };
    }
  }

  /** Has the service write the profiled files: transferring large builds takes time. */
  private async written(clean: OutputFile[], outside: OutputFile[], tree: TreeFile[], embed: Options): Promise<Profiled> {
    const { base, profiled, root } = this.folders;
    const { files, warnings, report } = await this.session.write(tree, { into: profiled, base, careful: this.options.build.strict }, embed);
    return {
      files: profiled === root ? outside : clean,
      sizes: [...clean.map(sizeOf), ...files.map(({ path, size }) => ({ path: join(profiled, path), size }))], // later ones take precedence
      warnings,
      imports: importsOf(report, this.folders),
    };
  }

  /** Has the service return the profiled files, for builds in memory or a service without a disk. */
  private async carried(clean: OutputFile[], tree: TreeFile[], embed: Options): Promise<Profiled> {
    const { profiled: folder, root } = this.folders;
    const { files: made, warnings, report } = await this.session.instrument(tree, embed);
    const profiled = made.map(({ path, contents }) => ({ path: join(folder, path), contents }));
    const inTree = new Set(tree.map(({ path }) => join(root, path)));
    const files = folder === root ? [...ordered(clean, inTree, profiled)] : [...clean, ...profiled.map(fresh)];
    return { files, sizes: files.map(sizeOf), warnings, imports: importsOf(report, this.folders) };
  }
}

/** Outputs with checks. */
interface Profiled {
  /** All outputs or, if the service has written, those that are still to be written. */
  files: OutputFile[];
  /** The sizes of all outputs, for the metafile. */
  sizes: Sized[];
  warnings: Message[];
  imports: Imports;
}

/** The result for the outputs. */
interface Made extends Omit<Profiled, "warnings"> {
  said: PartialMessage[];
  /** Why they could not be written. */
  unwritten?: unknown;
}

const sizeOf = ({ path, contents }: Output): Sized => ({ path, size: contents.length });

const notWritten = (error: unknown): PartialMessage => ({ text: `Failed to write the output: ${messageOf(error)}`, detail: error });

/** The modules' imports of the runtime, from the service's report. */
function importsOf(report: object, { profiled }: Folders): Imports {
  const { details = [] } = report as { details?: { path: string; imports?: string }[] };
  return new Map(details.flatMap(({ path, imports }) => (imports ? [[join(profiled, path), join(profiled, imports)] as const] : [])));
}

/** Without carriers the option is absent: the service would warn that nothing matches. */
const embedOf = (embed: string[]): Options => (embed.length > 0 ? { embed } : {});

/** The outputs in esbuild's order, followed by those that came with the checks. Files that the service left out of the tree are left out. */
function* ordered(clean: OutputFile[], inTree: ReadonlySet<string>, profiled: Output[]): Generator<OutputFile> {
  const by = new Map(profiled.map((file) => [file.path, file]));
  for (const file of clean) {
    const changed = by.get(file.path);
    by.delete(file.path);
    if (!changed && inTree.has(file.path)) continue;
    yield changed && !same(changed.contents, file.contents) ? fresh(changed) : file;
  }
  for (const file of by.values()) yield fresh(file);
}

const same = (a: Uint8Array, b: Uint8Array) => a === b || (a.length === b.length && Buffer.compare(a, b) === 0);

const fresh = ({ path, contents }: Output) => output(path, contents);

/** An output in esbuild's form; its hash tells whether it has changed. */
function output(path: string, contents: Uint8Array, hash?: string): OutputFile {
  return {
    path,
    contents,
    get hash() {
      return (hash ??= createHash("sha256").update(contents).digest("base64").slice(0, 11));
    },
    get text() {
      return new TextDecoder().decode(contents);
    },
  };
}
