// Instruments sources before esbuild bundles them, as Facebook's polyfill did, for
// comparison. Tree shaking and minification then see the checks, which keep code alive that
// they would drop; names and positions are those of single files.
import type { BuildOptions, Loader, OnLoadResult, PartialMessage, PluginBuild } from "esbuild";
import { dirname, extname, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { isOption, messageOf, Session } from "../../plugin/session";
import { baseOf } from "./folders";
import type { Settled } from "./options";

const loaders: Record<string, Loader> = { ".js": "jsx", ".jsx": "jsx", ".mjs": "jsx", ".cjs": "jsx", ".ts": "ts", ".mts": "ts", ".cts": "ts", ".tsx": "tsx" };

/** The module that every entry imports first, and the mark of our own imports. */
const runtime = "fieldprof:runtime";
const ours = Symbol("fieldprof");

/** Instruments each source of the project; packages stay as they are. */
export async function atSource(build: PluginBuild, options: Settled): Promise<void> {
  const initial = build.initialOptions;
  if (options.build.variant === "both") throw new Error('stage "source" gives one output: variant "both" needs stage "output"');
  const session = new Session(options.service);
  build.onDispose(() => void session.stop());
  try {
    await session.salt(); // checks the options
  } catch (error) {
    if (options.build.strict || isOption(error)) throw error;
    build.onStart(() => ({ warnings: [{ text: `${messageOf(error)}; the output is clean` }] }));
    return;
  }
  bundleRuntime(build);
  build.onLoad({ filter: /\.[cm]?[jt]sx?$/, namespace: "file" }, async ({ path }) => {
    const loader = initial.loader?.[extname(path)] ?? loaders[extname(path)];
    if (!["js", "jsx", "ts", "tsx"].includes(loader) || path.split(sep).includes("node_modules")) return undefined;
    return instrumented(build, options, session, path);
  });
}

/**
 * Bundles the runtime with the app: the package @fieldprof/runtime, as for any code that
 * bundles it.
 */
function bundleRuntime(build: PluginBuild): void {
  const resolveDir = dirname(typeof __filename === "undefined" ? fileURLToPath(import.meta.url) : __filename);
  const initial = build.initialOptions;
  initial.inject = [runtime, ...(initial.inject ?? [])];
  build.onResolve({ filter: /^fieldprof:runtime$/ }, () => ({ path: runtime, namespace: "fieldprof" }));
  build.onLoad({ filter: /^/, namespace: "fieldprof" }, () => ({ contents: 'import { install } from "@fieldprof/runtime";\ninstall();\n', resolveDir }));
  build.onResolve({ filter: /(^|\/)fieldprof\/checks\.js$/ }, ({ pluginData, kind }) => (pluginData === ours ? build.resolve("@fieldprof/runtime/checks", { kind, resolveDir }) : undefined));
}

/** A source as JavaScript with checks; undefined leaves it to esbuild. */
async function instrumented(build: PluginBuild, { service, build: { strict } }: Settled, session: Session, path: string): Promise<OnLoadResult | undefined> {
  const base = baseOf(build.initialOptions);
  const script = await plain(build, path);
  if (!script) return undefined; // esbuild reports errors better
  const at = relative(base, path).replaceAll("\\", "/").replace(/^(\.\.\/)+/, "").replace(/\.[^.]*$/, "") + ".mjs";
  try {
    const result = await session.instrument([{ path: at, contents: script }], service);
    const said: PartialMessage[] = result.warnings.map(({ text }) => ({ text: `${relative(base, path)}: ${text}` }));
    const contents = result.files.find((file) => file.path === at)?.contents;
    return { contents, loader: "js", resolveDir: dirname(path), pluginData: ours, ...(strict ? { errors: said } : { warnings: said }) };
  } catch (error) {
    if (strict || isOption(error)) throw error;
    return { contents: script, loader: "js", resolveDir: dirname(path), warnings: [{ text: `${messageOf(error)}; ${relative(base, path)} is clean` }] };
  }
}

/**
 * The source as plain JavaScript with an inline source map, made by a build of this file
 * alone, which respects tsconfig.json as the real build does.
 */
async function plain({ esbuild, initialOptions }: PluginBuild, path: string): Promise<Uint8Array | undefined> {
  const { absWorkingDir, tsconfig, tsconfigRaw, jsx, jsxFactory, jsxFragment, jsxImportSource, jsxDev, jsxSideEffects, target, supported, loader } = initialOptions;
  const relevant: BuildOptions = { absWorkingDir, tsconfig, tsconfigRaw, jsx, jsxFactory, jsxFragment, jsxImportSource, jsxDev, jsxSideEffects, target, supported, loader };
  const given = Object.fromEntries(Object.entries(relevant).filter(([, value]) => value !== undefined));
  try {
    const { outputFiles } = await esbuild.build({ ...given, entryPoints: [path], outdir: dirname(path), allowOverwrite: true, bundle: false, write: false, sourcemap: "inline", logLevel: "silent", charset: "utf8", platform: "neutral" });
    return outputFiles[0].contents;
  } catch {
    return undefined;
  }
}
