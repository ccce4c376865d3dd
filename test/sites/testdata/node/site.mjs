// Programs for Node: CommonJS and modules, by esbuild and by Rollup, each a
// folder.
import { build as esbuild } from 'esbuild';
import { join } from 'node:path';
import { rollup } from 'rollup';

export default async function build(out) {
  const src = join(import.meta.dirname, 'src');
  const entry = join(src, 'main.mjs');
  const common = { bundle: true, platform: 'node', sourcemap: true, logLevel: 'warning', splitting: false };
  await esbuild({ ...common, entryPoints: [entry], outfile: join(out, 'esbuild-cjs/main.cjs'), format: 'cjs' });
  await esbuild({ ...common, entryPoints: [entry], outfile: join(out, 'esbuild-cjs-js/main.js'), format: 'cjs', minify: true });
  await esbuild({ ...common, entryPoints: [entry], outdir: join(out, 'esbuild-esm'), format: 'esm', splitting: true, outExtension: { '.js': '.mjs' } });
  const bundle = await rollup({
    input: entry,
    external: /^node:/,
    onwarn(warning) {
      if (warning.code !== 'CIRCULAR_DEPENDENCY') throw new Error(warning.message);
    },
  });
  const output = { preserveModules: true, preserveModulesRoot: src, sourcemap: true };
  await bundle.write({ ...output, dir: join(out, 'rollup-cjs'), format: 'cjs', entryFileNames: '[name].cjs' });
  await bundle.write({ ...output, dir: join(out, 'rollup-esm'), format: 'es', entryFileNames: '[name].mjs' });
}
