export function fibonacci(n) {
  if (n < 2) return n;
  return fibonacci(n - 1) + fibonacci(n - 2);
}

export class Counter {
  #counts = new Map();
  add(key) {
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    if (count > 100) throw new RangeError(`too many of ${key}`);
    return this;
  }
  *[Symbol.iterator]() {
    for (const [key, count] of this.#counts) if (count > 1) yield `${key}${count}`;
  }
}
