import {
  readFrom
} from "./chunk-7A572J3W.js";
import {
  cpuprofile,
  readTablesBy,
  traceOf
} from "./chunk-UHPIY24D.js";
import "./chunk-MI2ED3SV.js";
import "./chunk-OL7LCS6D.js";
import "./chunk-MLKGABMK.js";

// runtime/src/finish.ts
import { readFile, stat } from "node:fs/promises";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import process from "node:process";
function replay(raw) {
  const frames = [];
  for (let i = 0; i < raw.frames.length; i += 4) {
    const [url, name, line, column] = raw.frames.slice(i, i + 4);
    frames.push({ url: raw.strings[url], name: raw.strings[name], line, column });
  }
  const stacks = [];
  for (let i = 0; i < raw.stacks.length; i += 2) {
    stacks.push({ frame: frames[raw.stacks[i + 1]], parent: stacks[raw.stacks[i]] ?? null });
  }
  const { time, stack, kind, weight, skid } = raw.samples;
  const captures = stacks.map((of) => ({ error: null, hidden: 0, stack: of }));
  const each = (visit) => time.forEach((at, i) => visit(at, captures[stack[i]] ?? null, kind[i], weight[i], skid[i]));
  return { ...raw, lost: new Set(raw.lost), length: time.length, each };
}
var [rawFile, output] = process.argv.slice(2);
readTablesBy(readFrom({ readFile, stat }));
var recording = replay(JSON.parse(readFileSync(rawFile, "utf8")));
var profile = await (output.endsWith(".json") ? traceOf(recording) : cpuprofile(recording));
writeFileSync(`${output}.part`, JSON.stringify(profile));
renameSync(`${output}.part`, output);
