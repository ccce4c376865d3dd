// Measures what @fieldprof/esbuild adds to builds: node plugin.mjs ORDER, where ORDER is
// a JSON file {folder, packages, esbuild, nodePaths, module, runs, builds}. Prints an
// array with, for each build, the sizes of the clean output, the milliseconds of each
// run of its arms (clean, with the plugin, and clean again for the noise), and those of
// the plugin's own work at the end of each build.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

const order = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const esbuild = createRequire(order.esbuild)('esbuild');
const fieldprof = createRequire(join(order.packages, 'index.js'))('@fieldprof/esbuild');
const arms = ['clean', 'plugin', 'again'];

/** When the plugin's work at the end of the last build began and ended. */
const ends = [0, 0];
const stamp = (i) => ({ name: 'stamp', setup: (build) => build.onEnd(() => void (ends[i] = performance.now())) });

const optionsOf = ({ splits, minifies }, arm) => ({
  entryPoints: ['main.ts'],
  absWorkingDir: order.folder,
  outdir: join(order.folder, 'out', arm),
  bundle: true,
  format: 'esm',
  splitting: splits,
  minify: minifies,
  sourcemap: 'linked',
  nodePaths: order.nodePaths,
  logLevel: 'silent',
  plugins: arm === 'plugin' ? [stamp(0), fieldprof(), stamp(1)] : [],
});

/** Changes one of the app's own modules. */
function touch(run) {
  const [head] = readFileSync(order.module, 'utf8').split('// change');
  writeFileSync(order.module, `${head}// change\nexport function changed(n: number) { while (n-- > ${run}) console.log(n); return n }\n`);
}

async function sizesOf(build) {
  const { outputFiles } = await esbuild.build({ ...optionsOf(build, 'clean'), write: false });
  const sum = (suffix) => outputFiles.filter(({ path }) => path.endsWith(suffix)).reduce((bytes, { contents }) => bytes + contents.length, 0);
  return { scripts: outputFiles.filter(({ path }) => path.endsWith('.js')).length, bytes: sum('.js'), maps: sum('.map') };
}

async function measure(build) {
  const contexts = build.incremental ? await Promise.all(arms.map((arm) => esbuild.context(optionsOf(build, arm)))) : [];
  const times = arms.map(() => []);
  const inside = [];
  for (let run = -1; run < order.runs; run++) {
    if (build.incremental) touch(run);
    for (let i = 0; i < arms.length; i++) {
      const arm = (i + run + arms.length) % arms.length;
      globalThis.gc(); // each arm collects its own garbage, not the last one's
      const began = performance.now();
      if (build.incremental) await contexts[arm].rebuild();
      else await esbuild.build(optionsOf(build, arms[arm]));
      if (run < 0) continue;
      times[arm].push(performance.now() - began);
      if (arms[arm] === 'plugin') inside.push(ends[1] - ends[0]);
    }
  }
  for (const context of contexts) await context.dispose();
  return { ...(await sizesOf(build)), times, inside };
}

const rows = [];
for (const build of order.builds) rows.push(await measure(build));
console.log(JSON.stringify(rows));
