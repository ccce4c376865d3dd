// node --import @fieldprof/runtime/register app.js
//
// Records an instrumented app from before its first line, and writes the profile when the
// process ends: FIELDPROF_OUTPUT names the file (.cpuprofile, or .json for a trace of the
// JS Self-Profiling API), FIELDPROF_INTERVAL is the time between ticks in milliseconds,
// FIELDPROF_CLOCK their source. Worker threads have Profiler, but record nothing by
// themselves.
import { spawnSync } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { unlinkSync, writeFileSync } from "node:fs";
import { basename, extname, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";
import { checks } from "../core/flag";
import { install } from "../api/install";
import { Collections } from "../trace/collections";
import { setLoader } from "../recording/parts";
import { now } from "../core/real";
import { record } from "../recording/reader";
import type { Settings } from "../recording/sessions";
import * as trace from "./trace";
import { readFrom } from "../trace/disk";

/** How many samples are kept, the last ones: hours at the default interval. */
const limit = 1_000_000;
/** A program that has not rested for this long, in ms, would not receive a signal. */
const busy = 1000;

const say = (text: string) => process.stderr.write(`fieldprof: ${text}\n`);

setLoader(() => Promise.resolve(trace));
trace.readTablesBy(readFrom({ readFile, stat }));
install();
if (isMainThread) begin();

function begin() {
  const { FIELDPROF_INTERVAL, FIELDPROF_CLOCK } = process.env;
  let interval = Number(FIELDPROF_INTERVAL ?? 10);
  if (!(interval >= 0.05)) {
    say(`FIELDPROF_INTERVAL=${FIELDPROF_INTERVAL} is not a number of milliseconds of at least 0.05: using 10`);
    interval = 10;
  }
  let clock = FIELDPROF_CLOCK as Settings["clock"];
  if (clock && !["auto", "shared", "poll"].includes(clock)) {
    say(`FIELDPROF_CLOCK=${clock} is not one of auto, shared, poll: using auto`);
    clock = undefined;
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
    const raw = trace.raw(recording);
    collections.mark(raw);
    finish(output, JSON.stringify(raw));
  };
  process.on("exit", write);
  handleSignals(write);
}

/** The file of the profile; a child process adds its process id to the name. */
function outputFile(): string {
  const { env, pid, argv } = process;
  const parent = env.FIELDPROF_PROCESS;
  env.FIELDPROF_PROCESS = String(pid);
  const app = argv[1] ? basename(argv[1], extname(argv[1])) : "node";
  const time = new Date().toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "-");
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

/**
 * Writes the profile. That must read function tables, and an ending process cannot wait:
 * another process does it.
 */
function finish(output: string, raw: string) {
  const rawFile = `${output}.raw`;
  try {
    writeFileSync(rawFile, raw);
    const { status, stderr } = spawnSync(process.execPath, [fileURLToPath(new URL("finish.js", import.meta.url)), rawFile, output], {
      env: { ...process.env, NODE_OPTIONS: "" },
      encoding: "utf8",
    });
    unlinkSync(rawFile);
    if (status === 0) say(`wrote ${output}`);
    else say(`the profile could not be written to ${output}: ${String(stderr).trim().slice(0, 2000)}`);
  } catch (error) {
    say(`the profile could not be written to ${output}: ${error}`);
  }
}

/**
 * A signal without other listeners ends the process as before, but with its profile. A
 * busy program cannot receive signals, and must not become immortal: while it is busy we
 * do not listen, and a signal ends it without a profile.
 */
function handleSignals(write: () => void) {
  const { kill, pid } = process;
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  let rested = now();
  let listening = false;
  const handle = (signal: string) => {
    if (process.listenerCount(signal) > 1) return; // the app handles it
    write();
    ignore();
    kill.call(process, pid, signal);
  };
  const ignore = () => {
    listening = false;
    for (const signal of signals) process.off(signal, handle);
  };
  const rest = () => {
    rested = now();
    if (listening) return;
    listening = true;
    for (const signal of signals) process.on(signal, handle);
  };
  rest();
  (setInterval(rest, busy / 4) as { unref?(): void }).unref?.(); // does not keep the process alive
  const { recorder } = checks;
  checks.recorder = (kind, ticks, deeper) => {
    if (listening && now() - rested > busy) ignore();
    recorder?.(kind, ticks, deeper + 1);
  };
}
