import type { Answer } from "./worker";

const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
const result = document.getElementById("result")!;
let length = 6;

worker.onmessage = ({ data }: MessageEvent<Answer>) => {
  result.textContent = summary(data);
};
document.getElementById("work")!.onclick = () => worker.postMessage(++length);
worker.postMessage(length);

function summary({ count, last }: Answer): string {
  let digits = 0;
  for (const letter of last) digits = (digits * 31 + letter.charCodeAt(0)) % 1000;
  return `${count} words, ${digits}`;
}
