import {
  install
} from "./chunk-LKN7TMGT.js";
import {
  raw,
  record,
  trace_exports
} from "./chunk-EGVESHOI.js";
import {
  now,
  setLoader
} from "./chunk-OXGTEWU5.js";
import {
  readFrom
} from "./chunk-7A572J3W.js";
import {
  readTablesBy
} from "./chunk-UHPIY24D.js";
import "./chunk-MI2ED3SV.js";
import {
  checks
} from "./chunk-OL7LCS6D.js";
import "./chunk-MLKGABMK.js";

// runtime/src/register.ts
import { spawnSync } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { unlinkSync, writeFileSync } from "node:fs";
import { basename, extname, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";

// runtime/src/node.ts
import { PerformanceObserver } from "node:perf_hooks";
var gc = 5;
var Collections = class {
  constructor() {
    this.pauses = [];
    this.observer = new PerformanceObserver((list) => this.add(list.getEntries()));
    this.observer.observe({ entryTypes: ["gc"] });
  }
  add(entries) {
    for (const { startTime, duration } of entries) this.pauses.push([startTime, startTime + duration]);
  }
  /** Those of a program that never comes to rest are not told before it does. */
  known() {
    this.add(this.observer.takeRecords());
    return this.pauses.sort((a, b) => a[0] - b[0]);
  }
  /**
   * Gives the collector the ticks of a recording that were due while it ran. A
   * sample that a check took for several ticks is split: so many of them as the
   * pause was long are the collector's.
   */
  mark(recording) {
    const pauses = this.known();
    const { time, stack, weight, kind, skid } = recording.samples;
    const marked = { time: [], stack: [], weight: [], kind: [], skid: [] };
    const add = (at, on, ticks, why, late) => {
      marked.time.push(at);
      marked.stack.push(on);
      marked.weight.push(ticks);
      marked.kind.push(why);
      marked.skid.push(late);
    };
    let next = 0;
    for (let i = 0; i < time.length; i++) {
      const due = time[i] - skid[i];
      let ticks = weight[i];
      let late = skid[i];
      if (kind[i] < 3) {
        while (next < pauses.length && pauses[next][1] <= due) next++;
        if (next < pauses.length && pauses[next][0] <= due) {
          const end = Math.min(pauses[next][1], time[i]);
          const taken = Math.min(ticks, 1 + Math.floor((end - due) / recording.interval));
          add(end, -1, taken, gc, end - due);
          ticks -= taken;
          late = time[i] - end;
        }
      }
      if (ticks > 0) add(time[i], stack[i], ticks, kind[i], late);
    }
    recording.samples = marked;
  }
};

// runtime/src/register.ts
var limit = 1e6;
var busy = 1e3;
var say = (text) => process.stderr.write(`fieldprof: ${text}
`);
setLoader(() => Promise.resolve(trace_exports));
readTablesBy(readFrom({ readFile, stat }));
install();
if (isMainThread) begin();
function begin() {
  const { FIELDPROF_INTERVAL, FIELDPROF_CLOCK } = process.env;
  let interval = Number(FIELDPROF_INTERVAL ?? 10);
  if (!(interval >= 0.05)) {
    say(`FIELDPROF_INTERVAL=${FIELDPROF_INTERVAL} is no number of milliseconds from 0.05 on: taking 10`);
    interval = 10;
  }
  let clock = FIELDPROF_CLOCK;
  if (clock && !["auto", "shared", "poll"].includes(clock)) {
    say(`FIELDPROF_CLOCK=${clock} is none of auto, shared, poll: taking auto`);
    clock = void 0;
  }
  const output = outputFile();
  const collections = new Collections();
  const recording = record({ interval, limit, ring: true, clock });
  let written = false;
  const write = () => {
    if (written) return;
    written = true;
    recording.stop();
    if (recording.account.taken === 0) {
      return say(`no check was seen in ${Math.round(recording.ended - recording.started)} ms, so there is no profile: is this app instrumented (instrument dist/)?`);
    }
    const raw2 = raw(recording);
    collections.mark(raw2);
    finish(output, JSON.stringify(raw2));
  };
  process.on("exit", write);
  heedSignals(write);
}
function outputFile() {
  const { env, pid, argv } = process;
  const parent = env.FIELDPROF_PROCESS;
  env.FIELDPROF_PROCESS = String(pid);
  const app = argv[1] ? basename(argv[1], extname(argv[1])) : "node";
  const time = (/* @__PURE__ */ new Date()).toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "-");
  let file = env.FIELDPROF_OUTPUT || `${app}-${time}.cpuprofile`;
  let extension = extname(file);
  if (extension !== ".cpuprofile" && extension !== ".json") {
    say(`FIELDPROF_OUTPUT=${file} ends in neither .cpuprofile nor .json: writing ${file}.cpuprofile`);
    extension = ".cpuprofile";
    file += extension;
  }
  if (parent && parent !== String(pid)) file = `${file.slice(0, -extension.length)}-${pid}${extension}`;
  return resolve(file);
}
function finish(output, raw2) {
  const rawFile = `${output}.raw`;
  try {
    writeFileSync(rawFile, raw2);
    const { status, stderr } = spawnSync(process.execPath, [fileURLToPath(new URL("finish.js", import.meta.url)), rawFile, output], {
      env: { ...process.env, NODE_OPTIONS: "" },
      encoding: "utf8"
    });
    unlinkSync(rawFile);
    if (status === 0) say(`wrote ${output}`);
    else say(`the profile could not be written to ${output}: ${String(stderr).trim().slice(0, 2e3)}`);
  } catch (error) {
    say(`the profile could not be written to ${output}: ${error}`);
  }
}
function heedSignals(write) {
  const { kill, pid } = process;
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  let rested = now();
  let heeding = false;
  const heed = (signal) => {
    if (process.listenerCount(signal) > 1) return;
    write();
    ignore();
    kill.call(process, pid, signal);
  };
  const ignore = () => {
    heeding = false;
    for (const signal of signals) process.off(signal, heed);
  };
  const rest = () => {
    rested = now();
    if (heeding) return;
    heeding = true;
    for (const signal of signals) process.on(signal, heed);
  };
  rest();
  setInterval(rest, busy / 4).unref?.();
  const { recorder } = checks;
  checks.recorder = (kind, ticks, deeper) => {
    if (heeding && now() - rested > busy) ignore();
    recorder?.(kind, ticks, deeper + 1);
  };
}
