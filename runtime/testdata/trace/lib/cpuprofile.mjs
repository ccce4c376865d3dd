// Prints a .cpuprofile of a recording that the Go test knows.
import { cpuprofile } from '../../../src/trace/cpuprofile';
import { readTablesBy } from '../../../src/trace/tables';
import { recordingOf, stackOf } from './recordings.mjs';

readTablesBy(async () => null);
const main = 'main@/site/app.js:2:3';
const profile = await cpuprofile(
  recordingOf(
    [
      [1, stackOf(`${main} > work@/site/app.js:5:3`), 1, 3, 2],
      [2, stackOf(`${main} > work@/site/app.js:6:3`), 2],
      [3, stackOf(`${main} > work@/site/app.js:6:3`), 0],
      [4, null, 3, 2],
      [5, null, 4],
      [6, null, 5],
      [7, stackOf(main), 0],
    ],
    { interval: 1.2345, started: 500 },
  ),
);
console.log(JSON.stringify(profile));
