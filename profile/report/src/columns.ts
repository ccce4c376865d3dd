// The profile as the page holds it: the columns of package report.
import type { Mark } from "./mark";
import { Func, type Tables } from "./profile";

/** Kinds of function. */
export const SCRIPT = 0, NATIVE = 1, IDLE = 2, COLLECTOR = 3, PROGRAM = 4, LOST = 5;
export const kinds = LOST + 1;

/** Where the numbers of a column lie, after the head: `bytes` for each, 8 for a float. */
export interface Column {
  at: number;
  count: number;
  bytes: 1 | 2 | 4 | 8;
}

/** A profile in columns that refer to each other by index. */
export interface Columns {
  title: string;
  /** Lines about how it was recorded and how well. */
  about: string[];
  /** The milliseconds of a tick; 0 if only weights are known. */
  interval: number;
  strings: string[];
  functions: { name: Column; file: Column; line: Column; column: Column; kind: Column };
  /** The tree of calls: each node is followed by what it calls, the heaviest first. */
  nodes: { depth: Column; function: Column };
  /** In order of time, in microseconds since the previous sample; node 0 is none, 1 the first. */
  samples: { time: Column; node: Column; line: Column; weight: Column };
  /** In order of time, in milliseconds. */
  marks: Mark[];
}

export interface Head {
  profile: Columns;
  /** The profile to compare with. */
  before?: Columns;
  /** Texts of files, by the file names of functions. */
  sources: Record<string, string>;
}

export interface Content extends Head {
  /** A column as whole numbers of 32 bits, and one that may be of greater ones. */
  whole(column: Column): Int32Array;
  numbers(column: Column): ArrayLike<number>;
}

/** A profile's columns as the tables that views work on. */
export function tablesOf(columns: Columns, { whole, numbers }: Content): Tables {
  const { strings, functions, nodes, samples, interval } = columns;
  const [name, file, line, column, kind] = [functions.name, functions.file, functions.line, functions.column, functions.kind].map(whole);
  const weight = whole(samples.weight);
  const node = whole(samples.node);
  for (let i = 0; i < node.length; i++) node[i]--;
  const time = Float64Array.from(interval > 0 ? numbers(samples.time) : weight);
  const per = interval > 0 ? 1000 : 1;
  for (let i = 0, clock = 0; i < time.length; i++) time[i] = (clock += time[i]) / per;
  return {
    interval,
    functions: Array.from(name, (text, i) => new Func(strings[text], strings[file[i]], line[i], kind[i], column[i])),
    depth: whole(nodes.depth),
    fn: whole(nodes.function),
    time,
    node,
    line: whole(samples.line),
    weight,
  };
}

/** How many letters of base64 are unpacked at a time: a multiple of 4. */
const slice = 1 << 18;

/** Unpacks what an element holds; see pack.go. */
export function contentOf(element: HTMLElement): Promise<Content> {
  return unpacked(Number(element.dataset.head), Number(element.dataset.size), element.textContent!);
}

/** Unpacks such an element from text that was fetched, as WriteColumns writes it. */
export function contentIn(text: string): Promise<Content> {
  const [, head, size] = /^<script[^>]* data-head="(\d+)" data-size="(\d+)">/.exec(text.slice(0, 200)) ?? [];
  if (!size) throw new Error("this is no profile in columns");
  return unpacked(Number(head), Number(size), text.slice(text.indexOf(">") + 1, text.lastIndexOf("</script>")));
}

/** Unpacks what is gzipped, in base64, slice by slice. */
async function unpacked(head: number, size: number, base64: string): Promise<Content> {
  const data = new Uint8Array(size);
  const unzip = new DecompressionStream("gzip");
  const written = write(base64, unzip.writable.getWriter());
  const reader = unzip.readable.getReader();
  let at = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    data.set(part.value, at); // which throws where there is more than there should be
    at += part.value.length;
  }
  await written;
  const text = new TextDecoder().decode(data.subarray(0, head));
  const column = ({ at, count, bytes }: Column) => new views[bytes](data.buffer, head + at, count);
  return { ...(JSON.parse(text) as Head), numbers: column, whole: (of) => new Int32Array(column(of)) };
}

/** The columns are little-endian, as is every machine that runs a browser. */
const views = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: Float64Array };

async function write(text: string, to: WritableStreamDefaultWriter<BufferSource>) {
  for (let from = 0; from < text.length; from += slice) await to.write(bytesOf(text.slice(from, from + slice)));
  await to.close();
}

/** Browsers have this built in since 2025. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const own = Uint8Array as typeof Uint8Array & { fromBase64?(text: string): Uint8Array<ArrayBuffer> };
  if (own.fromBase64) return own.fromBase64(base64);
  const letters = atob(base64);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes;
}
