// Each wrong value is one line, and something sensible instead.
import assert from "node:assert/strict";
import { settingsOf } from "../../src/node/variables";

function read(env: Record<string, string>) {
  const said: string[] = [];
  return { settings: settingsOf(env, (text) => said.push(text)), said };
}

{
  const { settings, said } = read({});
  assert.deepEqual(said, []);
  assert.deepEqual({ ...settings }, { mode: "exit", interval: 10, clock: "auto", every: 60_000, keep: 60, output: "", push: undefined, service: undefined, release: undefined, labelValues: 200, workers: true, maxOverhead: undefined });
}
const wrong: [Record<string, string>, RegExp][] = [
  [{ FIELDPROF_MODE: "always" }, /^FIELDPROF_MODE=always is not one of exit, continuous, signal: using exit$/],
  [{ FIELDPROF_INTERVAL: "soon" }, /^FIELDPROF_INTERVAL=soon is not a number of milliseconds of at least 0.05: using 10$/],
  [{ FIELDPROF_INTERVAL: "Infinity" }, /using 10$/],
  [{ FIELDPROF_EVERY: "-1" }, /using 60$/],
  [{ FIELDPROF_KEEP: "0" }, /using 60$/],
  [{ FIELDPROF_KEEP: "2.5" }, /^FIELDPROF_KEEP=2.5 is not a whole number of files of at least 1: using 60$/],
  [{ FIELDPROF_LABEL_VALUES: "many" }, /using 200$/],
  [{ FIELDPROF_LABEL_VALUES: "1.5" }, /using 200$/],
  [{ FIELDPROF_CLOCK: "sun" }, /using auto$/],
  [{ FIELDPROF_WORKERS: "no" }, /using on$/],
  [{ FIELDPROF_LOG: "quiet" }, /^FIELDPROF_LOG=quiet is not one of on, off: using on$/],
  [{ FIELDPROF_MAX_OVERHEAD: "-1%" }, /^FIELDPROF_MAX_OVERHEAD=-1% is not a percentage above 0, or off: using off$/],
  [{ FIELDPROF_MAX_OVERHEAD: "%", FIELDPROF_MODE: "continuous" }, /using 10$/],
  [{ FIELDPROF_PUSH_TO: "cloud" }, /using collector$/],
  [{ FIELDPROF_PUSH: "localhost:4040" }, /^FIELDPROF_PUSH: it does not begin with http:\/\/ or https:\/\/: nothing is sent$/],
  [{ FIELDPROF_PUSH: "//" }, /^FIELDPROF_PUSH: it is not a URL: nothing is sent$/],
  [{ FIELDPROF_PUSH: "http://me:secret@host/" }, /^FIELDPROF_PUSH: names and passwords/],
];
for (const [env, want] of wrong) {
  const { settings, said } = read(env);
  assert.equal(said.length, 1, JSON.stringify([env, said]));
  assert.match(said[0], want);
  assert(!said[0].includes("secret"));
  assert.equal(settings.push, undefined);
}
{
  const { settings, said } = read({ FIELDPROF_PUSH: "https://host/x?key=K", FIELDPROF_PUSH_TO: "otlp", FIELDPROF_PUSH_HEADERS: "Authorization=Bearer%20a=b, X-Scope=c,nonsense,Y=a%0Ab,Z=%" });
  assert.equal(settings.output, undefined, "what is sent is not written, unless asked");
  assert.deepEqual(settings.push, { to: "otlp", url: "https://host/x?key=K", headers: { Authorization: "Bearer a=b", "X-Scope": "c" } });
  assert.equal(said.length, 3);
}
for (const [text, mode, want] of [["5", "exit", 5], ["2.5 %", "continuous", 2.5], ["off", "continuous", undefined], ["", "continuous", 10], ["", "signal", undefined]] as const) {
  const { settings, said } = read({ FIELDPROF_MAX_OVERHEAD: text, FIELDPROF_MODE: mode });
  assert.equal(settings.maxOverhead, want);
  assert.deepEqual(said, []);
}
