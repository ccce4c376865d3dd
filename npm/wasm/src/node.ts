import { Worker } from "node:worker_threads";
import { type Channel, over } from "./channel";
import type { Answer } from "./messages";

export type { Channel, Listener } from "./channel";

/** Starts the service in a thread of its own, for the package fieldprof. */
export async function open(): Promise<Channel> {
  const worker = new Worker(new URL("./thread.js", import.meta.url), { name: "fieldprof" });
  const { channel, hear } = over({
    post: (question) => worker.postMessage(question),
    hold: (awaited) => (awaited ? worker.ref() : worker.unref()),
    terminate: async () => void await worker.terminate(),
  });
  worker.on("message", (answer: Answer) => hear(answer));
  worker.on("error", (error) => hear({ end: String(error) }));
  worker.on("exit", (code) => hear({ end: `its thread ended with code ${code}` }));
  return channel;
}
