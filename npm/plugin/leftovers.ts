// Files in a profiled copy that earlier builds wrote, and whose originals bundlers have removed from the output: with
// hashes in names each release would add its own.
import { createHash } from "node:crypto";
import { access, readdir, readFile, rm } from "node:fs/promises";
import { join, relative, sep } from "node:path";

/** The files that the last build wrote into a copy, without those that others have added. */
export class Leftovers {
  private constructor(
    private readonly copy: string,
    private readonly digests: ReadonlySet<string>,
  ) {}

  /** Reads what the last build wrote, before the next one takes its place. */
  static async of(copy: string): Promise<Leftovers> {
    const text = await readFile(join(copy, "fieldprof/manifest.json"), "utf8").catch(() => "{}");
    return new Leftovers(copy, new Set(digestsIn(text)));
  }

  /** Removes what is neither in the output any more nor among the paths just made. */
  async remove(output: string, made: ReadonlySet<string>): Promise<void> {
    if (this.digests.size === 0) return;
    const entries = await readdir(this.copy, { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      if (entry.isDirectory()) continue;
      const file = join(entry.parentPath, entry.name);
      const path = relative(this.copy, file).replaceAll(sep, "/");
      const isLeft = !made.has(path) && !path.startsWith("fieldprof/") && this.digests.has(digestOf(path));
      if (isLeft && !(await exists(join(output, original(path))))) await rm(file, { force: true });
    }
  }
}

function digestsIn(manifest: string): string[] {
  try {
    const { ours } = JSON.parse(manifest) as { ours?: unknown };
    return Array.isArray(ours) ? ours.map(String) : [];
  } catch {
    return [];
  }
}

/** The manifest may be published, so it has digests of paths. */
const digestOf = (path: string) => createHash("sha256").update(path).digest().subarray(0, 12).toString("base64url");

/** The script of a function table. */
const original = (path: string) => path.replace(/\.functions\.json$/, "");

const exists = (path: string) => access(path).then(() => true, () => false);
