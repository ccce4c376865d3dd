// Profiles on a small disk that is really full: minutes pass by hand. Nothing is half-written,
// it is told once, and when there is room again, so are profiles.
import assert from "node:assert/strict";
import { appendFileSync, readdirSync, readFileSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { RawRecording } from "../../src/recording/parts";
import { Worker } from "../../src/node/job";
import { fileAt, type Names } from "../../src/node/names";
import { tryOut } from "../../src/node/rotation";

const [, , folder] = process.argv;
const said: string[] = [];
const worker = new Worker({ fetch: () => Promise.reject(new Error("nothing is sent")), wait: () => Promise.resolve(), random: () => 0, say: (text) => said.push(text) });
const names: Names = { folder, base: "app", who: "", extension: ".cpuprofile", timed: true };
let minute = 0;

/** A profile of some hundred kilobytes. */
function recording(): RawRecording {
  const count = 1000;
  const all = <T>(of: (i: number) => T) => Array.from({ length: count }, (_, i) => of(i));
  return {
    version: 1, clock: "shared", interval: 10, seed: 1, started: 0, ended: 10 * count, origin: Date.UTC(2026, 0, 2, 0, minute++),
    account: { raised: count, missed: 0, taken: count, idle: 0, program: 0, lost: 0 }, late: [], lost: [],
    strings: ["/none.js", ...all((i) => `f${i}`)],
    frames: all((i) => [0, 1 + i, 1 + i, 1]).flat(),
    stacks: all((i) => [-1, i]).flat(),
    samples: { time: all((i) => 10 * i), stack: all((i) => i), weight: all(() => 1), kind: all(() => 1), skid: all(() => 0) },
  };
}

/** So many minutes, and the profiles that are there then. */
async function pass(minutes: number): Promise<string[]> {
  for (let i = 0; i < minutes; i++) {
    const raw = recording();
    await worker.do({ raw, about: { program: "app", thread: "", labelValues: 10 }, file: fileAt(names, "continuous", raw.origin), rotate: { names, keep: 3 }, isSaid: false, origin: { pid: 1 } });
  }
  const files = readdirSync(folder).filter((file) => file !== "log");
  for (const file of files) assert(JSON.parse(readFileSync(join(folder, file), "utf8")).samples.length >= 1000, `${file} is whole`);
  return files.map((file) => file.slice(13, 17)).sort();
}

/** Takes all the room that is left. */
function fill() {
  try {
    for (;;) appendFileSync(join(folder, "log"), "x".repeat(4096));
  } catch {
    // It is full.
  }
}

assert.deepEqual(await pass(5), ["0002", "0003", "0004"]);
fill();
assert.match(tryOut(join(folder, "x.cpuprofile"))!, /the disk is full/);
assert.deepEqual(said, []);
assert.deepEqual(await pass(1), ["0003", "0004", "0005"], "the oldest makes room for the next");
fill();
unlinkSync(join(folder, "app-20260102-000300000.cpuprofile"));
fill();
assert.deepEqual(await pass(4), ["0004", "0005"]);
assert.equal(said.length, 1, said.join("\n"));
assert.match(said[0], /could not be written to .*app-20260102-000600000\.cpuprofile: the disk is full$/);
unlinkSync(join(folder, "log"));
assert.deepEqual(await pass(2), ["0005", "0010", "0011"]);
assert.deepEqual(said.slice(1), ["profiles are written again"]);
assert.equal(tryOut(join(folder, "x.cpuprofile")), undefined);
