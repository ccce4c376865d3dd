/** How long each cause works, in milliseconds by the page's own clock: slow on any machine. */
const enough = 300;

/** Repeats work until it has taken long enough, so that how much there is of it depends on no machine. */
export function slowly(work: () => void): void {
  const end = performance.now() + enough;
  do work();
  while (performance.now() < end);
}

/** Shows a result, as a handler of a real page does. */
export function show(text: string | number): void {
  document.getElementById('result')!.textContent = String(text);
}
