// Runs DevTools' own trace model, with all its handlers, over a trace named by the
// first argument, and writes the self time of each function on each thread, as
// the timeline does.
import * as Trace from '../../profile/format/cpuprofile/testdata/oracle/node_modules/chrome-devtools-frontend/front_end/models/trace/trace.js';
import {readFileSync} from 'node:fs';

const file = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const model = Trace.TraceModel.Model.createWithAllHandlers();
await model.parse(file.traceEvents ?? file);
const data = model.parsedTrace(0)!.data;
const profiles = [];
for (const [pid, threads] of data.Samples.profilesInProcess) {
  for (const [tid, {parsedProfile}] of threads) {
    const self: Record<string, number> = {};
    parsedProfile.forEachFrame(() => {}, (_depth, node, _index, _time, _duration, own) => {
      self[node.functionName] = (self[node.functionName] ?? 0) + own;
    });
    profiles.push({name: `${pid}:${tid}`, self});
  }
}
let calls = 0;
for (const [, process] of data.Renderer.processes) {
  for (const [, thread] of process.threads) {
    calls += thread.profileCalls.length;
  }
}
const milliseconds = (from: number, to: number) => (to - from) / 1000;
const marks = [
  ...data.UserTimings.performanceMeasures.map(m => `${m.name} ${milliseconds(data.Meta.traceBounds.min, m.ts)}+${milliseconds(0, m.dur)}`),
  ...data.UserTimings.performanceMarks.map(m => `${m.name} ${milliseconds(data.Meta.traceBounds.min, m.ts)}`),
  ...data.UserInteractions.interactionEvents.map(i => `${i.type} ${milliseconds(data.Meta.traceBounds.min, i.ts)}+${milliseconds(0, i.dur)}: ` +
      [i.inputDelay, i.mainThreadHandling, i.presentationDelay].map(part => milliseconds(0, part)).join(', ')),
];
process.stdout.write(JSON.stringify({profiles, calls, marks}));
