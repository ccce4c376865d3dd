import { permutations } from "./permutations";

export interface Answer {
  count: number;
  last: string;
}

/** How many letters; or "profile", for a profile of the worker at work. */
export type Question = number | "profile";

onmessage = async ({ data }: MessageEvent<Question>) => {
  if (data === "profile") {
    postMessage(await profiled());
    return;
  }
  const all = permutations("abcdefghij".slice(0, data));
  postMessage({ count: all.length, last: all[all.length - 1] } satisfies Answer);
};

declare const Profiler: new (options: { sampleInterval: number; maxBufferSize: number }) => { stop(): Promise<object> };

function profiled(): Promise<object> {
  const profiler = new Profiler({ sampleInterval: 10, maxBufferSize: 1000 });
  for (const end = Date.now() + 300; Date.now() < end; ) {
    permutations("abcdefg");
  }
  return profiler.stop();
}
