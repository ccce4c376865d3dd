// Source maps of chunks that no comment names and that are not next to their chunks: `sourcemap: "hidden"`
// with `sourcemapFileNames: "maps/[name].js.map"`, for an error tracker. Only the bundler knows whose they are,
// so the service is shown them where it looks for them.

// The relevant fields of a chunk or asset.
interface File {
  type: string;
  code?: string;
  sourcemapFileName?: string | null;
}

const comment = /^\/[/*][#@]\s*sourceMappingURL=/m;

/** The paths of such maps, and the paths next to their chunks. */
export function hiddenMaps(bundle: Record<string, File>): Map<string, string> {
  const places = new Map<string, string>();
  for (const [path, { code, sourcemapFileName: map }] of Object.entries(bundle)) {
    const beside = path + ".map";
    if (code === undefined || !map || !Object.hasOwn(bundle, map) || Object.hasOwn(bundle, beside) || comment.test(code)) continue;
    places.set(map, beside);
  }
  return places;
}

/** Files with other paths, where a map of paths has them. */
export function moved<Item extends { path: string }>(files: readonly Item[], places: ReadonlyMap<string, string>): Item[] {
  if (places.size === 0) return [...files];
  return files.map((file) => ({ ...file, path: places.get(file.path) ?? file.path }));
}

/** The way back. */
export const reversed = (places: ReadonlyMap<string, string>) => new Map([...places].map(([from, to]) => [to, from] as const));
