// Function tables on a disk, as Node has them.
import assert from 'node:assert/strict';
import * as files from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';
import { readFrom } from '../../src/trace/disk';
import { readTablesBy, tablesOf, tableURL } from '../../src/trace/tables';

assert.equal(tableURL('https://example.com/a/?q=/x.js#y'), 'https://example.com/a/index.html.functions.json');
assert.equal(tableURL('https://example.com/a.js?v=1'), 'https://example.com/a.js.functions.json');
for (const none of ['', 'a.js', '/a.js', 'blob:https://example.com/1', 'data:text/javascript,1', 'https://example.com/a.js > eval', 'webpack://a/b.js']) {
  assert.equal(tableURL(none), null, none);
}

const folder = await files.mkdtemp(`${tmpdir()}/fieldprof-tables-`);
const table = '{"version":1,"file":"a.js","strings":[""],"functions":[0,1,1,5,1,-1,0,1,0,3]}';
await files.writeFile(`${folder}/a b.js.functions.json`, table);
await files.writeFile(`${folder}/broken.js.functions.json`, table.slice(0, -1));
await files.mkdir(`${folder}/folder.js.functions.json`);
readTablesBy(readFrom(files));
const notes = new Set();
const url = pathToFileURL(`${folder}/a b.js`).href;
const found = await tablesOf([`${folder}/a b.js`, url, `${folder}/none.js`, `${folder}/broken.js`, `${folder}/folder.js`, 'https://example.com/a.js'], notes);
assert.deepEqual([...found.keys()], [`${folder}/a b.js`, url]);
assert.equal(found.get(url).find(1, 1), 0);
assert.equal(notes.size, 4, [...notes].join());

// Large files are refused before they are read.
await assert.rejects(readFrom({ stat: async () => ({ size: 1e9 }), readFile: () => assert.fail() })('/x', new AbortController().signal), /too large/);

// A reader that never answers costs a trace some seconds, and may answer the next one.
let answer = false;
readTablesBy((_, signal) => (answer ? Promise.resolve(table) : new Promise((_, no) => signal.addEventListener('abort', () => no(signal.reason)))));
notes.clear();
assert.equal((await tablesOf(['/slow.js'], notes)).size, 0);
assert.match([...notes][0], /not loaded in time/);
answer = true;
assert.equal((await tablesOf(['/slow.js'], new Set())).size, 1);
await files.rm(folder, { recursive: true });
