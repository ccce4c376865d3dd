import { type Channel, over } from "./channel";
import type { Answer } from "./messages";

export type { Channel, Listener } from "./channel";

/** Starts the service in a worker of the page, for the package fieldprof. */
export async function open(): Promise<Channel> {
  const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module", name: "fieldprof" });
  const { channel, hear } = over({
    post: (question) => worker.postMessage(question),
    hold: () => {},
    terminate: async () => worker.terminate(),
  });
  worker.onmessage = ({ data }: MessageEvent<Answer>) => hear(data);
  worker.onerror = (event) => hear({ end: event.message || "its worker cannot be loaded" });
  return channel;
}
