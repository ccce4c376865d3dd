import { FieldprofError } from "./error";

// The frames of package transform/service.

const prefix = 8;
const maxHead = 64 << 20;

/** How many bytes of files a request may have. */
export const maxBody = 1 << 30;

/** The parts of a frame, to be sent one after the other. */
export function frame(head: object, body: Uint8Array[] = []): Uint8Array[] {
  const text = new TextEncoder().encode(JSON.stringify(head));
  const size = body.reduce((sum, part) => sum + part.length, 0);
  if (text.length > maxHead) throw new FieldprofError(`a request of ${text.length} bytes beside its files; up to ${maxHead} are allowed`);
  const start = new Uint8Array(prefix + text.length);
  const lengths = new DataView(start.buffer);
  lengths.setUint32(0, text.length, true);
  lengths.setUint32(4, size, true);
  start.set(text, prefix);
  return [start, ...body];
}

/** Assembles frames from chunks. */
export class Frames {
  private part = new Uint8Array(prefix); // the lengths, or the frame after them
  private have = 0;
  private head = -1; // its length, once it is known

  constructor(private readonly frame: (head: string, body: Uint8Array) => void) {}

  push(chunk: Uint8Array): void {
    while (chunk.length > 0) {
      const taken = chunk.subarray(0, this.part.length - this.have);
      this.part.set(taken, this.have);
      this.have += taken.length;
      chunk = chunk.subarray(taken.length);
      if (this.have === this.part.length) this.complete();
    }
  }

  private complete(): void {
    const part = this.part;
    const head = this.head;
    this.have = 0;
    if (head < 0) {
      const lengths = new DataView(part.buffer);
      const body = lengths.getUint32(4, true);
      this.head = lengths.getUint32(0, true);
      if (this.head < 2 || this.head > maxHead || body > maxBody) throw new FieldprofError("it does not speak as fieldprof does");
      this.part = new Uint8Array(this.head + body);
      return;
    }
    this.head = -1;
    this.part = new Uint8Array(prefix);
    this.frame(new TextDecoder().decode(part.subarray(0, head)), part.subarray(head));
  }
}
