// Outputs of @vitejs/plugin-legacy for browsers that know no modules, nor what checks are written in. Their page is in
// another output, so the service cannot tell.
import { hasPages } from "./settled";

// The relevant parts of Vite's configuration and of a bundle.
export interface LegacyConfig {
  plugins?: readonly { name: string }[];
}
type Bundle = Record<string, { type: "asset" } | { type: "chunk"; isEntry: boolean }>;

/** Finds such outputs in builds, which have a configuration each. */
export class Legacy {
  /** An entry of such outputs where a build has had no others; undefined where it has. */
  private readonly entries = new WeakMap<LegacyConfig, string | undefined>();

  /** Whether an output of a build is one. */
  has(config: LegacyConfig, bundle: Bundle): boolean {
    const entry = config.plugins?.some(({ name }) => name.startsWith("vite:legacy")) ? entryOf(bundle) : undefined;
    const isOther = entry === undefined || (this.entries.has(config) && this.entries.get(config) === undefined);
    this.entries.set(config, isOther ? undefined : entry);
    return entry !== undefined;
  }

  /** An entry of the outputs of a build that has ended, if all are such. */
  alone(config: LegacyConfig): string | undefined {
    const entry = this.entries.get(config);
    this.entries.delete(config); // it may watch
    return entry;
  }
}

/** An entry of an output, if it is one. */
function entryOf(bundle: Bundle): string | undefined {
  if (hasPages(Object.keys(bundle))) return undefined;
  const entries = Object.keys(bundle).filter((path) => isEntry(bundle[path]));
  return entries.every((path) => path.includes("-legacy")) ? entries[0] : undefined;
}

const isEntry = (file: Bundle[string]) => file.type === "chunk" && file.isEntry;
