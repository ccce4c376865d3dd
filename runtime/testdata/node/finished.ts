// Original names, by table or by map; labels, bounded, in each format; our own frames nowhere.
// The formats go to a folder, where Go reads them.
import assert from "node:assert/strict";
import { mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { RawRecording } from "../../src/recording/parts";
import { Finished } from "../../src/node/finished";
import { parcelsOf } from "../../src/node/parcels";

const [, , folder] = process.argv;
mkdirSync(folder, { recursive: true });
const beside = join(folder, "a.js");
const inline = join(folder, "b.js");
// One mapping: the first character of line 1 comes from line 6, column 3 of the source, named hot.
const map = JSON.stringify({ version: 3, sources: ["src/hot.ts"], names: ["hot"], mappings: "AAKEA" });
writeFileSync(beside, "function h(){}");
writeFileSync(`${beside}.map`, map);
writeFileSync(inline, `function h(){}\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString("base64")}`);

function recording(): RawRecording {
  const ours = import.meta.url.replace(/[^/]*$/, "labels.js");
  return {
    version: 1, clock: "shared", interval: 10, seed: 1, started: 1000, ended: 2000, origin: 1_700_000_000_000,
    account: { raised: 110, missed: 0, taken: 98, idle: 12, program: 0, lost: 0 }, late: [], lost: [],
    strings: [beside, "h", inline, ours, "labels"],
    frames: [0, 1, 1, 1, 2, 1, 1, 1, 3, 4, 5, 5],
    stacks: [-1, 0, 0, 2, 1, 1],
    samples: { time: [1010, 1020, 1030, 1040], stack: [0, 2, -1, 2], weight: [3, 4, 2, 1], kind: [1, 1, 3, 2], skid: [0, 0, 0, 0], labels: [0, 1, -1, 2] },
    labelSets: [{ route: "/a", tenant: "x" }, { route: "/b" }, { route: "/c" }],
  };
}

const about = { program: "shop", thread: "worker 1", labelValues: 2 };
// A table that cannot be read now, as when the service has all the files open that it may, is asked for with the next profile.
const notesOf = (profile: Finished) => (profile.meta() as { notes: string[] }).notes.filter((note) => note.includes("EISDIR"));
mkdirSync(`${beside}.functions.json`);
assert.equal(notesOf(await Finished.of(recording(), about)).length, 2, "the table, and the map");
rmdirSync(`${beside}.functions.json`);
const finished = await Finished.of(recording(), about);
assert.deepEqual(notesOf(finished), []);
const { found } = finished;
assert.deepEqual(found.functions.map(({ name, url, line, column }) => [name, url, line, column]), Array(2).fill(["hot", join(folder, "src/hot.ts"), 6, 3]));
assert.deepEqual(found.parents, [-1, 0], "the frame of labels() is not there");
assert.deepEqual([0, 1, 2, 3].map((i) => finished.labels(i)), [
  { route: "/a", tenant: "x", thread: "worker 1" },
  { route: "/b", thread: "worker 1" },
  { thread: "worker 1" },
  { route: "(other)", thread: "worker 1" },
]);

const push = { url: "http://host", headers: { A: "b" } };
const origin = { release: "1.2", pid: 42 };
const collector = parcelsOf(finished, { ...push, to: "collector" }, origin);
assert.deepEqual(collector.map(({ url }) => url), ["", "&route=%2Fb", "&route=%2Fa", "&route=%28other%29"].map((route) => `http://host/v1/profiles?release=1.2${route}&service=shop`));
assert.equal(new Set(collector.map(({ headers }) => headers["X-Fieldprof-Request-Id"])).size, 4);
const [pyroscope] = parcelsOf(finished, { ...push, to: "pyroscope" }, origin);
assert.deepEqual([pyroscope.url, pyroscope.headers.A], ["http://host/push.v1.PusherService/Push", "b"]);
const [otlp] = parcelsOf(finished, { ...push, to: "otlp" }, origin);
assert.equal(otlp.url, "http://host/v1development/profiles");

writeFileSync(join(folder, "collector.pb.gz"), collector[1].body);
writeFileSync(join(folder, "pyroscope.json"), pyroscope.body);
writeFileSync(join(folder, "otlp.json.gz"), otlp.body);
writeFileSync(join(folder, "a.cpuprofile"), JSON.stringify(finished.cpuprofile()));
