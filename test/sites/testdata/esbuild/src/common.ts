export class Registry<T> {
  static #last?: Registry<unknown>;
  static {
    Registry.#last = undefined;
  }
  private items: T[] = [];
  constructor(readonly name: string) {
    Registry.#last = this;
  }
  get size() {
    return this.items.length;
  }
  set first(item: T) {
    this.items.unshift(item);
  }
  push(...items: T[]): this {
    for (const item of items) this.items.push(item);
    return this;
  }
  async *drain(): AsyncGenerator<T> {
    while (this.items.length) yield this.items.shift()!;
  }
  static last() {
    return this.#last?.name;
  }
}

export function line(id: string, text: string) {
  const element = document.createElement('p');
  element.id = id;
  element.textContent = text;
  document.body.append(element);
}
