// Reads a .cpuprofile from stdin and writes what DevTools makes of it: the self
// time of every function by hit counts (its table) and by time deltas (its
// timeline), in milliseconds, keyed as DevTools tells functions apart.
import {CPUProfileDataModel} from './node_modules/chrome-devtools-frontend/front_end/models/cpu_profile/CPUProfileDataModel.js';
import {readFileSync} from 'node:fs';

const model = new CPUProfileDataModel(JSON.parse(readFileSync(0, 'utf8')));
const table: Record<string, number> = {}, timeline: Record<string, number> = {};
const key = (node: any) => `${node.functionName}@${node.url}:${node.lineNumber}:${node.columnNumber}`;
for (const node of model.nodes() ?? []) {
  table[key(node)] = (table[key(node)] ?? 0) + node.self;
}
model.forEachFrame(() => {}, (_depth, node, _index, _time, _duration, self) => {
  timeline[key(node)] = (timeline[key(node)] ?? 0) + self;
});
const meta = [model.programNode, model.idleNode, model.gcNode].map(n => n ? n.functionName : '');
process.stdout.write(JSON.stringify({table, timeline, total: model.total, meta}));
