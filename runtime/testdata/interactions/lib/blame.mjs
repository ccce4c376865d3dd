// Answers queries of the Go test: whose time each slice was.
import { readFileSync } from 'node:fs';
import { blame } from '../../../src/interactions/blame';
import { explain } from '../../../src/interactions/explain';

const slices = JSON.parse(readFileSync(0, 'utf8'));
const options = { page: 'https://shop.example/' };
console.log(JSON.stringify(slices.map((slice) => ({ blame: blame(slice, options), explain: explain(slice, options) }))));
