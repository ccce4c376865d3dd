export function moduleSpins(milliseconds) {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
}
