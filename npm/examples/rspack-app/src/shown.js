export function shown(size, count) {
  return `${count} ways for ${size} queens`;
}
