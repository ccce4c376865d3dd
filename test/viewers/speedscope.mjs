// Runs speedscope's own importers over a file, named by the first argument, and
// writes what it makes of it: for each profile its unit and the self weight of
// each function. Files with speedscope's schema are also held against it.
import {readFileSync, readdirSync} from 'node:fs';
import {basename} from 'node:path';
import Ajv from 'ajv';

const release = new URL('node_modules/speedscope/dist/release/', import.meta.url);

// The package has its importers in the bundle of the page only. They are plain
// functions in it, so the bundle is evaluated up to where it looks for a page, with
// a hook put in where the importers are named.
function importers() {
  const bundle = readFileSync(new URL(readdirSync(release).find((f) => /^speedscope-.*\.js$/.test(f)), release), 'utf8');
  const names = /var (\w+)=\{\};[\w$]+\(\1,\{[^}]*importProfileGroupFromText[^}]*\}\);/.exec(bundle);
  const tail = bundle.slice(bundle.indexOf('Importing from linux perf script output'));
  const load = /var (\w+)=\w+\(\(\)=>\{"use strict";(?:\w+\(\);?)+\}\);/.exec(tail);
  if (!names || !load) throw new Error('speedscope has another form: look for its importers again');
  const end = names.index + names[0].length;
  const hooked = `${bundle.slice(0, end)}globalThis.importers=()=>{${load[1]}();return ${names[1]}};${bundle.slice(end)}`;
  try {
    (0, eval)(hooked);
  } catch (fault) {
    if (!globalThis.importers) throw fault; // else it is the missing page
  }
  return globalThis.importers();
}

const path = process.argv[2];
const data = readFileSync(path);
console.log = () => {};
const group = await importers().importProfilesFromArrayBuffer(basename(path), data.buffer.slice(data.byteOffset, data.byteOffset + data.length));
if (!group) throw new Error('speedscope knows no such file');

const out = {profiles: [], schema: ''};
for (const profile of group.profiles) {
  const self = {};
  profile.forEachFrame((f) => { self[f.name] = (self[f.name] ?? 0) + f.getSelfWeight(); });
  out.profiles.push({name: profile.getName(), unit: profile.getWeightUnit(), total: profile.getTotalWeight(), self});
}
if (path.endsWith('.speedscope.json')) {
  const ajv = new Ajv({strict: false});
  const valid = ajv.validate(JSON.parse(readFileSync(new URL('file-format-schema.json', release), 'utf8')), JSON.parse(data.toString()));
  out.schema = valid ? 'valid' : ajv.errorsText();
}
process.stdout.write(JSON.stringify(out));
