/** 128 random bits, as hexadecimal digits. */
export function makeID(): string {
  const words = new Uint32Array(4);
  try {
    crypto.getRandomValues(words);
  } catch {
    words.forEach((_, i) => (words[i] = Math.random() * 2 ** 32));
  }
  return [...words].map((word) => word.toString(16).padStart(8, "0")).join("");
}
