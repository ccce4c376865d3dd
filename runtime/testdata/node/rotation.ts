// Files have their names when they are whole; so many remain; a disk that fails is told once.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { reason, tryOut, Writer, type Disk } from "../../src/node/rotation";
import { fileAt, type Names } from "../../src/node/names";

const files = new Map<string, string>();
let fault = "";
let room = Infinity; // for characters
const steps: string[] = [];
const fail = () => {
  if (fault) throw Object.assign(new Error(fault), { code: fault });
};
const disk: Disk = {
  writeFileSync(path, contents) {
    steps.push(`write ${path}`);
    files.set(path, ""); // a full disk leaves the beginning
    fail();
    const used = [...files.values()].reduce((sum, text) => sum + text.length, 0);
    if (used + contents.length > room) throw Object.assign(new Error(), { code: "ENOSPC" });
    files.set(path, String(contents));
  },
  renameSync(from, to) {
    steps.push(`rename ${from} ${to}`);
    fail();
    files.set(to, files.get(from)!);
    files.delete(from);
  },
  unlinkSync(path) {
    if (!files.delete(path)) throw Object.assign(new Error(), { code: "ENOENT" });
  },
  readdirSync: () => [...files.keys()].map((path) => path.replace("/d/", "")),
};

const said: string[] = [];
const writer = new Writer((text) => said.push(text), disk);
assert(writer.write("/d/a.json", "1"));
assert.deepEqual(steps, ["write /d/a.json.part", "rename /d/a.json.part /d/a.json"]);

fault = "ENOSPC";
assert(!writer.write("/d/b.json", "2"));
assert(!writer.write("/d/c.json", "2"));
assert.deepEqual(said, ["the profile could not be written to /d/b.json: the disk is full"], "once");
fault = "ENOENT";
assert(!writer.write("/d/b.json", "2"));
assert.match(said[1], /the folder .*d does not exist$/, "another reason");
fault = "";
assert(writer.write("/d/b.json", "2"));
assert.equal(said[2], "profiles are written again");
assert.deepEqual([...files.keys()], ["/d/a.json", "/d/b.json"], "no part is left");

files.clear();
const names: Names = { folder: "/d", base: "app", who: "-42-t1", extension: ".pb.gz", timed: true };
const others = ["/d/app-backend-20260101-000000000.pb.gz", "/d/app-1.pb.gz", "/d/app-20260101-000000000.json", "/d/app-20200101-000000.pb.gz"];
for (const other of others) files.set(other, "");
files.set("/d/app-20260101-000000000.pb.gz", "of the first process");
for (let minute = 0; minute < 10; minute++) {
  const file = fileAt(names, "continuous", Date.UTC(2026, 0, 2, 0, minute));
  assert(writer.write(file, ""));
  writer.rotate(names, 3);
}
assert.deepEqual(
  [...files.keys()].filter((file) => !others.includes(file)),
  ["07", "08", "09"].map((minute) => `/d/app-20260102-00${minute}00000-42-t1.pb.gz`),
);
for (const other of others) assert(files.has(other), `${other} is not ours to take away`);
assert.equal(said.length, 3);

// A disk that has room for three profiles and no more is full with those that are kept: the oldest
// goes first. If that is of no use, no other goes.
files.clear();
room = 30;
const full = new Writer((text) => said.push(text), disk);
const minutes = (from: number, to: number) => {
  const written: boolean[] = [];
  for (let minute = from; minute < to; minute++) {
    const file = fileAt(names, "continuous", Date.UTC(2026, 0, 2, 0, minute));
    written.push(full.write(file, "x".repeat(10), () => full.rotate(names, 2) > 0));
    full.rotate(names, 3);
  }
  return written;
};
assert(minutes(0, 6).every(Boolean));
assert.deepEqual([...files.keys()].map((file) => file.slice(18, 20)), ["03", "04", "05"]);
files.set("/d/log", "y".repeat(10));
assert.deepEqual(minutes(6, 10), [false, false, false, false]);
assert.deepEqual([...files.keys()].map((file) => file.slice(18, 20)), ["04", "05", ""], "the last ones stay");
assert.equal(said.length, 4, "once");
files.delete("/d/log");
assert.deepEqual(minutes(10, 11), [true]);
assert.equal(said[4], "profiles are written again");
said.length = 3;
assert.match(tryOut("/d/x.json", disk)!, /disk is full/, "although an empty file would fit");
assert(!files.has("/d/x.json.part"));
room = Infinity;

fault = "EACCES";
assert.match(tryOut("/d/x.json", disk)!, /not permitted/);
fault = "";
assert.equal(tryOut("/d/x.json", disk), undefined);
assert.equal(said.length, 3);
assert(!files.has("/d/x.json.part"));
assert.equal(reason(new Error("odd"), "/d/x"), "odd");

// Two runs of an app in the same second: the second does not take the first one's file.
{
  const folder = fileURLToPath(new URL(".", import.meta.url)); // the test's own
  const names: Names = { folder, base: "app", who: "", extension: ".cpuprofile", timed: true };
  const name = () => basename(fileAt(names, "exit", Date.UTC(2026, 0, 2, 3, 4, 5)));
  assert.equal(name(), "app-20260102-030405.cpuprofile");
  writeFileSync(join(folder, name()), "");
  assert.match(name(), /^app-20260102-030405-[0-9]+\.cpuprofile$/);
}
