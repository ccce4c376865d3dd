import { permutations } from "./permutations";

export interface Answer {
  count: number;
  last: string;
}

onmessage = ({ data }: MessageEvent<number>) => {
  const all = permutations("abcdefghij".slice(0, data));
  postMessage({ count: all.length, last: all[all.length - 1] } satisfies Answer);
};
