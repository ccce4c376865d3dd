// Makes testdata/firefox/startup.json of what Firefox wrote: see README.md.
import { readFileSync, writeFileSync } from "node:fs";

const [from, to] = process.argv.slice(2);
const profile = JSON.parse(readFileSync(from, "utf8"));

/** The markers that are kept, of the page's thread. */
const kept = /^(UserTiming|DOMEvent|LongTask|DocumentLoad|GC\w+|Styles|Reflow.*)$/;

/** Keeps the rows of a table that are used, and says where each went. */
function keep(table, used) {
  const moved = new Map([...used].sort((a, b) => a - b).map((row, i) => [row, i]));
  table.data = [...moved.keys()].map((row) => table.data[row]);
  return moved;
}

function trimThread(thread, samples) {
  const { stackTable, frameTable } = thread;
  const name = (row) => thread.stringTable[row[0]];
  thread.markers.data = thread.markers.data.filter((row) => kept.test(name(row)) && ours(thread));
  thread.samples.data = thread.samples.data.slice(0, samples).map((row) => row.slice(0, 3));
  const stacks = new Set();
  for (const [stack] of thread.samples.data)
    for (let s = stack; s !== null && !stacks.has(s); s = stackTable.data[s][0]) stacks.add(s);
  const stackAt = keep(stackTable, stacks);
  for (const row of thread.samples.data) if (row[0] !== null) row[0] = stackAt.get(row[0]);
  for (const row of stackTable.data) if (row[0] !== null) row[0] = stackAt.get(row[0]);
  const frameAt = keep(frameTable, new Set(stackTable.data.map((row) => row[1])));
  for (const row of stackTable.data) row[1] = frameAt.get(row[1]);
  const strings = new Map();
  const stringAt = (i) => {
    const text = thread.stringTable[i].replaceAll(/file:\/\/[^ ]*\/(?=\w+\.(?:js|html))/g, "file:///app/");
    if (!strings.has(text)) strings.set(text, strings.size);
    return strings.get(text);
  };
  for (const row of frameTable.data) {
    row[0] = stringAt(row[0]);
    if (typeof row[3] === "number") row[3] = stringAt(row[3]);
  }
  for (const row of thread.markers.data) {
    row[0] = stringAt(row[0]);
    if (!row[5]) continue;
    for (const key of ["stack", "nursery", "timings"]) delete row[5][key];
    row[5] = JSON.parse(JSON.stringify(row[5]).replaceAll(/file:[^" ]*\/(?=\w+\.html)/g, "file:///app/"));
  }
  thread.stringTable = [...strings.keys()];
}

function trim(part, samples) {
  part.libs = [];
  part.pages = [];
  part.pausedRanges = [];
  part.sources = { schema: part.sources.schema, data: [] };
  for (const extra of ["counters", "profilerOverhead", "profilingLog", "profileGatheringLog"]) delete part[extra];
  for (const extra of ["markerSchema", "configuration", "CPUName", "physicalCPUs", "logicalCPUs"]) delete part.meta[extra];
  part.meta.markerSchema = [];
  for (const thread of part.threads) trimThread(thread, samples(thread));
}

const ours = (thread) => thread.stringTable.some((text) => /(work|marks)\.js/.test(text));
trim(profile, () => 60);
profile.processes = profile.processes.filter((part) => part.threads.some(ours));
for (const part of profile.processes) trim(part, (thread) => (ours(thread) ? Infinity : 60));
writeFileSync(to, JSON.stringify(profile) + "\n");
