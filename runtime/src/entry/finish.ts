// Makes profiles of raw recordings: in a thread of the service, which sends jobs, or in a
// process of its own when the service ends, which reads them from its standard input.
import { readFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { Worker, type Job } from "../node/job";
import { Outbox, type World } from "../node/delivery";
import { process } from "../node/nodeprocess";

const port = parentPort;
const world: World = {
  fetch: (url, request) => fetch(url, request),
  wait: (milliseconds) => new Promise((done) => setTimeout(done, milliseconds)),
  random: Math.random,
  say: (text) => (port ? port.postMessage({ text }) : process.stderr.write(`fieldprof: ${text}\n`)),
};

if (port) {
  const worker = new Worker(world);
  let last = Promise.resolve();
  port.on("message", ({ id, job }: { id: number; job: Job }) => {
    last = last.then(async () => {
      await worker.do(job);
      port.postMessage({ done: id });
    });
  });
} else {
  // The service waits: each profile is sent once, and soon.
  const worker = new Worker(world, undefined, new Outbox(world, 1, 3000));
  for (const job of JSON.parse(readFileSync(0, "utf8")) as Job[]) await worker.do(job);
  await worker.sent();
}
