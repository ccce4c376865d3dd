// Builds an example by its own configuration: node example.mjs FOLDER
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = resolve(process.argv[2]);
process.chdir(folder);
const load = (name) => import(pathToFileURL(resolve(folder, name)).href);
if (existsSync('build.mjs')) {
  await load('build.mjs');
} else {
  const { builders } = await import('./builders.mjs');
  const name = Object.keys(builders).find((bundler) => existsSync(bundler + '.config.js'));
  const { default: configuration } = await load(name + '.config.js');
  await builders[name](configuration);
}
