import { smooth } from "./smooth";

function render(round: number): number {
  const heights = Array.from({ length: 400 }, (_, i) => (i * 7919 + round) % 101);
  return smooth(heights, 60);
}

let round = 0;

function turn() {
  const end = performance.now() + 12;
  while (performance.now() < end) document.getElementById("out")!.textContent = String(render(round++));
  setTimeout(turn, 4);
}

if (location.search === "?worker") new Worker("worker.js", { name: "sums" });
turn();
