// Times the service as the program and as WebAssembly, in turns, over the files of
// a folder: node wasm.mjs FOLDER RUNS. The folder has node_modules with fieldprof
// and fieldprof-wasm; FIELDPROF_BINARY names the program, CHANGED the
// script that rebuilds change.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [folder, runs] = process.argv.slice(2);
const { start } = createRequire(join(folder, 'package.json'))('fieldprof');
const tree = readdirSync(join(folder, 'app')).map((name) => ({ path: name, contents: readFileSync(join(folder, 'app', name)) }));
const encoder = new TextEncoder();

/** The tree with other bytes at the end of the scripts that are chosen. */
function changed(choose, turn) {
  return tree.map((file) => (/\.m?js$/.test(file.path) && choose(file.path) ? { ...file, contents: Buffer.concat([file.contents, encoder.encode(`\n// ${turn}\n`)]) } : file));
}

async function time(work) {
  const began = performance.now();
  const result = await work();
  return [performance.now() - began, result];
}

const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];

const rows = { program: [], wasm: [] };
for (let run = 0; run < Number(runs); run++) {
  for (const [name, options] of Object.entries({ program: {}, wasm: { wasm: true } })) {
    if (name !== (process.env.ONLY ?? name)) continue;
    const [started, service] = await time(() => start(options));
    const [first, { files }] = await time(() => service.instrument(tree));
    const all = [];
    const one = [];
    for (let turn = 0; turn < 3; turn++) all.push((await time(() => service.instrument(changed(() => true, turn))))[0]);
    await service.instrument(tree); // so that only one file changes
    for (let turn = 0; turn < 5; turn++) one.push((await time(() => service.instrument(changed((path) => path === process.env.CHANGED, turn))))[0]);
    await service.stop();
    rows[name].push({ start: started, first, all: median(all), one: median(one), files: files.length });
  }
}
console.log(JSON.stringify(rows));
