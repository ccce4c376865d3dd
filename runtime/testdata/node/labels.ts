// Samples have the labels of the work in which they were taken, also after promises and
// timers, and a request's route once it is known.
import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { setImmediate } from "node:timers";
import { expressLabels, fastifyLabels, koaLabels, labelsNow } from "../../src/node/frameworks";
import { labels, valuesOf, within, type LabelSet } from "../../src/node/labels";
import { checks } from "../../src/core/flag";
import { Entry } from "../../src/core/kinds";
import { tape } from "../../src/recording/sampler";

/** Takes a sample here; the function gives its labels as they are later. */
function sample(): () => Record<string, string> {
  const capture = { error: null, hidden: 0, stack: null } as { error: null; hidden: number; stack: null; labels?: unknown };
  tape.add(0, 0, 1, Entry, capture);
  return () => (capture.labels ? valuesOf(capture.labels as LabelSet) : {});
}

assert.equal(checks.labels, undefined, "who has no labels pays for none");
assert.deepEqual(sample()(), {});
const found = await labels({ route: "/a", tenant: 7 }, async () => {
  const before = sample();
  await new Promise((done) => setTimeout(done));
  const inner = labels({ tenant: "x" }, sample);
  return [before(), sample()(), inner()];
});
assert.deepEqual(found, [{ route: "/a", tenant: "7" }, { route: "/a", tenant: "7" }, { route: "/a", tenant: "x" }]);
assert.deepEqual(sample()(), {});
assert.equal(labels({ x: "y".repeat(900) }, labelsNow).x.length, 200);
const pair = "\u{1f600}";
assert.equal(labels({ x: "y".repeat(199) + pair }, labelsNow).x, "y".repeat(199) + "\ufffd");
assert.equal(labels({ x: `${pair} ${pair[1]}${pair[0]}` }, labelsNow).x, `${pair} \ufffd\ufffd`);
assert.deepEqual(labels({ kind: "mine", "a b": 1, ok: true }, labelsNow), { ok: "true" }, "names that formats cannot have");
assert.throws(() => labels({}, () => { throw new Error("the work's own"); }), /the work's own/);

{
  const response = new EventEmitter();
  const request = { method: "GET", baseUrl: "", route: undefined as { path: string } | undefined, tenant: "t" };
  const samples: (() => Record<string, string>)[] = [];
  expressLabels<typeof request>({ labels: ({ tenant }) => ({ tenant }) })(request, response, () => {
    samples.push(sample()); // in a middleware before the route
    request.baseUrl = "/shops/123";
    request.route = { path: "/items/:item" };
    samples.push(sample());
    request.baseUrl = ""; // the route has failed, and a handler of errors is outside of its router
    samples.push(sample());
  });
  response.emit("close");
  request.route = { path: "/later" };
  for (const of of samples) assert.deepEqual(of(), { method: "GET", tenant: "t", route: "/shops/:id/items/:item" });
}
{
  const response = new EventEmitter();
  let taken = sample();
  const broken = { labels: () => { throw new Error("of the service"); } };
  expressLabels(broken)({ method: "GET", baseUrl: "" }, response, () => (taken = sample()));
  assert.deepEqual(taken(), { method: "GET" });
  response.emit("close");
  assert.deepEqual(taken(), { method: "GET", route: "(none)" });
}
for (const wrong of [{ a: Object.create(null) as string }, Promise.reject(new Error("of the service"))]) {
  let taken = sample();
  expressLabels({ labels: () => wrong as never })({ method: "GET", baseUrl: "" }, new EventEmitter(), () => (taken = sample()));
  assert.deepEqual(taken(), { method: "GET" }, "what cannot be a label is the service's mistake, and no error of the request");
}
{
  type Hook = (request: object, reply: unknown, next: () => void) => void;
  const hooks: Record<string, Hook> = {};
  fastifyLabels({ addHook: ((event: string, hook: Hook) => (hooks[event] = hook)) as never }, undefined, () => {});
  const request = { method: "POST", routeOptions: { url: "/orders/:id" } };
  const seen: unknown[] = [];
  hooks.onRequest(request, null, () => seen.push(sample()()));
  hooks.preValidation(request, null, () => seen.push(sample()())); // elsewhere: the body has arrived
  const want = { method: "POST", route: "/orders/:id" };
  assert.deepEqual(seen, [want, want]);
  hooks.onRequest({ method: "GET", routerPath: "/old" }, null, () => assert.deepEqual(sample()(), { method: "GET", route: "/old" })); // Fastify before 4.10
}
{
  const context = { method: "GET", res: new EventEmitter(), _matchedRoute: undefined as string | undefined };
  const taken = await koaLabels()(context, async () => {
    context._matchedRoute = "/k/:id";
    return sample();
  });
  assert.deepEqual((taken as () => object)(), { method: "GET", route: "/k/:id" });
}

{
  // Work that schedules itself under labels, again and again.
  let turns = 0;
  let set: LabelSet | undefined;
  await new Promise<void>((done) => {
    const turn = () =>
      labels({ job: "poll", [`n${turns % 3}`]: turns }, () => {
        set = within({});
        if (++turns === 20_000) done();
        else setImmediate(turn);
      });
    labels({ tenant: "t" }, turn);
  });
  assert.equal(set!.outer, undefined, "no set holds those before it");
  assert.deepEqual(valuesOf(set!), { tenant: "t", job: "poll", n0: "19998", n1: "19999", n2: "19997" });
}
{
  // A label may be called what all objects have.
  const set = labels({ constructor: "outer", job: "outer" }, () => labels({ job: "inner" }, () => within({})));
  assert.deepEqual(valuesOf(set), { constructor: "outer", job: "inner" });
}
{
  // Within a request its route is known later, also to work within that work.
  const response = new EventEmitter();
  const request = { method: "GET", baseUrl: "", route: undefined as { path: string } | undefined };
  const samples = await new Promise<(() => object)[]>((done) => {
    const work = () => {
      const before = sample();
      setImmediate(() => done([before, sample()]));
    };
    expressLabels()(request, response, () => labels({ job: "a" }, () => labels({ job: "b" }, work)));
    request.route = { path: "/r" };
    response.emit("close");
  });
  for (const of of samples) assert.deepEqual(of(), { method: "GET", job: "b", route: "/r" });
}
