// esbuild: a classic script as one function (iife) with its map inline, and
// modules that share chunks (splitting), of TypeScript, on one page.
import { build } from 'esbuild';
import { cpSync } from 'node:fs';
import { join } from 'node:path';

export default async function all(out) {
  const src = join(import.meta.dirname, 'src');
  const common = { bundle: true, minify: true, logLevel: 'warning' };
  await build({ ...common, entryPoints: [join(src, 'classic.ts')], outdir: out, format: 'iife', globalName: 'Classic', sourcemap: 'inline', target: 'es2017' });
  await build({ ...common, entryPoints: [join(src, 'a.ts'), join(src, 'b.ts')], outdir: out, format: 'esm', splitting: true, sourcemap: true });
  await build({ ...common, entryPoints: [join(src, 'worker.ts')], outdir: out, format: 'iife', sourcemap: 'linked' });
  cpSync(join(import.meta.dirname, 'index.html'), join(out, 'index.html'));
}
