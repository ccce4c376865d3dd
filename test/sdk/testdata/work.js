// The application: work that takes as long as it is told to, in functions whose
// names the profiles must hold. With clock.js before it the work moves the clock, and so
// does in no time what takes a minute.
const { pass } = globalThis;

export function layOutRows(milliseconds) {
  const end = performance.now() + milliseconds;
  let sum = 0;
  while (performance.now() < end) sum += measureRow(sum & 255);
  return sum;
}

function measureRow(width) {
  let height = 0;
  for (let i = 0; i < (pass ? 20 : 2000); i++) height = (height * 31 + width + i) % 65521;
  pass?.(1);
  return height;
}

/** Works in tasks of its own, as pages do, for so long. */
export async function work(milliseconds, each = pass ? 500 : 40) {
  for (const end = performance.now() + milliseconds; performance.now() < end; ) {
    layOutRows(each);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
