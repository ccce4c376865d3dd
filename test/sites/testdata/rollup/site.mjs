// Rollup: a module for each source, in an import cycle, with top-level await,
// hidden maps, a module worker and a shared one. The page is written by hand and
// has an import map, preloads and a base.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { rollup } from 'rollup';

export default async function build(out) {
  const src = join(import.meta.dirname, 'src');
  const bundle = await rollup({
    input: ['main.mjs', 'worker.mjs', 'shared.mjs'].map((name) => join(src, name)),
    external: ['words'],
    onwarn(warning) {
      if (warning.code !== 'CIRCULAR_DEPENDENCY' && warning.code !== 'EVAL') throw new Error(warning.message);
    },
  });
  await bundle.write({ dir: join(out, 'js'), format: 'es', preserveModules: true, preserveModulesRoot: src, entryFileNames: '[name].mjs', sourcemap: 'hidden' });
  cpSync(join(import.meta.dirname, 'index.html'), join(out, 'index.html'));
  cpSync(join(import.meta.dirname, 'deep.html'), join(out, 'pages/deep.html'));
  cpSync(join(src, 'words.mjs'), join(out, 'js/vendor/words.mjs'));
}
