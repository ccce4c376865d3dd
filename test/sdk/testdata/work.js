// The application: work that takes as long as it is told to, in functions whose
// names the profiles must hold.
export function layOutRows(milliseconds) {
  const end = performance.now() + milliseconds;
  let sum = 0;
  while (performance.now() < end) sum += measureRow(sum & 255);
  return sum;
}

function measureRow(width) {
  let height = 0;
  for (let i = 0; i < 2000; i++) height = (height * 31 + width + i) % 65521;
  return height;
}

/** Works in small tasks, as pages do, for so long. */
export async function work(milliseconds) {
  for (const end = performance.now() + milliseconds; performance.now() < end; ) {
    layOutRows(40);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
