// Writes messages of protocol buffers: numbers, texts and messages, by their fields.

/** A message as it grows. */
export class Message {
  private bytes = new Uint8Array(256);
  private length = 0;

  /** A number; 0 is what an absent one means. */
  number(field: number, value: number): this {
    if (value === 0) return this;
    this.varint(field * 8);
    this.varint(value);
    return this;
  }

  text(field: number, value: string): this {
    return this.add(field, new TextEncoder().encode(value));
  }

  message(field: number, value: Message): this {
    return this.add(field, value.done());
  }

  /** A list of numbers. */
  packed(field: number, values: readonly number[]): this {
    const list = new Message();
    for (const value of values) list.varint(value);
    return this.message(field, list);
  }

  /** The fields of another message. */
  append(other: Message): this {
    return this.put(other.done());
  }

  done(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  private add(field: number, bytes: Uint8Array): this {
    this.varint(field * 8 + 2);
    this.varint(bytes.length);
    return this.put(bytes);
  }

  private put(bytes: Uint8Array): this {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
    return this;
  }

  /** Numbers are whole, and not negative; nanoseconds since 1970 are more than 2⁵³, and as exact as a number is there. */
  private varint(value: number) {
    this.reserve(10);
    for (; value > 127; value = Math.floor(value / 128)) this.bytes[this.length++] = (value % 128) + 128;
    this.bytes[this.length++] = value;
  }

  private reserve(more: number) {
    if (this.length + more <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(2 * this.bytes.length, this.length + more));
    larger.set(this.bytes);
    this.bytes = larger;
  }
}
