// Streaming while there is no room for files: the program sees no error, and each batch is in
// the first file that can be written, or in a later one.
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setLoader, type Parts } from "../../src/recording/parts";
import * as trace from "../../src/entry/trace";
import { Stream } from "../../src/run/stream";

setLoader(async () => trace as unknown as Parts);
const folder = join(process.argv[2], "live");
const stream = new Stream(join(folder, "batches-"), { interval: 1, seed: 1, clock: "poll" });
const make = () => mkdirSync(folder, { recursive: true });
const remove = () => renameSync(folder, `${folder}-${performance.now()}`);
/** The numbers of the batches in a file. */
const batches = (name: string) => readFileSync(join(folder, name), "utf8").split("\n").map((line) => JSON.parse(line).seq as number);

stream.look(Infinity);
stream.look(Infinity);
make();
stream.look(Infinity);
assert.deepEqual(readdirSync(folder), ["batches-1"]);
assert.deepEqual(batches("batches-1"), [1]);
stream.look(Infinity);
assert.deepEqual(batches("batches-2"), [2]);

remove();
stream.look(Infinity);
make();
stream.end();
assert.deepEqual(readdirSync(folder), ["batches-3", "batches-4"]);
assert.deepEqual([...batches("batches-3"), ...batches("batches-4")], [3, 4], "what waited, and the rest");

remove();
new Stream(join(folder, "batches-"), { interval: 1, seed: 1, clock: "poll" }).end();
