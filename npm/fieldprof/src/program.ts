import { createRequire } from "node:module";
import { version } from "./version";

// Finds the program of this platform: npm installs the optional dependency whose os and cpu
// match.

const require = createRequire(typeof __filename === "undefined" ? import.meta.url : __filename);

/** The platforms that have a program, as process.platform and process.arch. */
const platforms = ["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64", "win32-arm64", "win32-x64"];

const here = `${process.platform}-${process.arch}`;

/** The path of the program, or '' if it is not installed. */
export function findProgram(): string {
  const named = process.env.FIELDPROF_BINARY;
  if (named) return named;
  try {
    return require.resolve(`@fieldprof/${here}/bin/instrument${process.platform === "win32" ? ".exe" : ""}`);
  } catch {
    return "";
  }
}

/** Why there is no program, and what to do. */
export function missing(otherwise: string): string {
  const byHand = `build it (go install github.com/fieldprof/fieldprof/cmd/instrument@v${version}) and name it in FIELDPROF_BINARY${otherwise}`;
  if (!platforms.includes(here)) return `fieldprof has no program for ${here}: ${byHand}`;
  const wanted = `@fieldprof/${here}`;
  const found = platforms.filter((platform) => platform !== here && installed(`@fieldprof/${platform}`)).map((platform) => `@fieldprof/${platform}`);
  if (found.length > 0) {
    return `this is ${here}, which needs the package ${wanted}, and installed is ${found.join(", ")}: node_modules comes from another platform, ` +
      `by a copy into a container or from a Node for another processor (Rosetta). Delete node_modules and install here; or ${byHand}`;
  }
  return `the package ${wanted}, which holds the program of fieldprof, is not installed: it is an optional dependency of fieldprof, ` +
    `so install again without --omit=optional or --no-optional; or ${byHand}`;
}

function installed(name: string): boolean {
  try {
    require.resolve(`${name}/package.json`);
    return true;
  } catch {
    return false;
  }
}
