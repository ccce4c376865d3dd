import type { Channel } from "./channel";
import { FieldprofError } from "./error";
import { frame, Frames, maxBody } from "./frame";
import { Queue } from "./queue";
import { type Named, Received, Sent } from "./stock";
import type { Message, Options, Result, Service, Target, TreeFile, Written } from "./types";
import { version } from "./version";

const protocol = 1;

/** How long a service may take to say hello. */
const patience = 30_000;

/** A message of a service. */
interface Answer {
  kind: "hello" | "instrumented" | "written" | "salted" | "error";
  id?: number;
  version?: string;
  protocol?: number;
  files?: Named[];
  forget?: number[];
  warnings?: Message[];
  report?: object;
  salt?: string;
  text?: string;
  option?: string;
  writing?: boolean;
}

/** A call that waits for its answer. */
interface Call {
  answered(answer: Answer, body: Uint8Array): void;
  failed(error: unknown): void;
}

/** Says hello over a channel, and returns the service at its other end. */
export async function connect(channel: Channel): Promise<Service> {
  const client = new Client(channel);
  await client.greet();
  return client;
}

class Client implements Service {
  readonly version = version;
  private readonly calls = new Map<number, Call>(); // by id; the hello has 0
  private readonly queue = new Queue();
  private readonly sent = new Sent();
  private readonly received = new Received();
  private last = 0;
  private ended?: FieldprofError; // why calls no longer succeed
  private stopped?: Promise<void>;

  constructor(private readonly channel: Channel) {
    const frames = new Frames((head, body) => this.hear(JSON.parse(head) as Answer, body));
    channel.listen({
      bytes: (chunk) => {
        if (this.ended) return;
        try {
          frames.push(chunk);
        } catch (error) {
          this.end(`${this.what()} says what makes no sense: ${(error as Error).message}`);
          void this.close();
        }
      },
      end: (why) => this.end(`${this.what()} has ended: ${why}`),
    });
  }

  async greet(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hello = this.call(0, [{ kind: "hello", protocol, version }]);
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new FieldprofError(`${this.what()} did not say hello within ${patience / 1000} seconds`)), patience);
    });
    try {
      const { answer } = await Promise.race([hello, late]);
      if (answer.kind !== "hello" || answer.version !== version || answer.protocol !== protocol) {
        throw new FieldprofError(`the client is fieldprof ${version} and ${this.channel.name} is fieldprof ${answer.version}: install the same version of both`);
      }
    } catch (error) {
      await this.close();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  get disk(): boolean {
    return this.channel.disk === true;
  }

  async instrument(files: TreeFile[], options?: Options, { signal }: { signal?: AbortSignal } = {}): Promise<Result> {
    check(files);
    // Fixed from now on: an answer may name them by index.
    const request = files.map(({ path, contents }) => ({ path, contents }));
    let taken: TreeFile[] = [];
    const { warnings = [], report = {} } = await this.hand(request, { kind: "instrument", options: plain(options) }, signal, (heard, bytes) => {
      // Always, even if nothing awaits the answer: the next one builds on it.
      if (heard.kind === "instrumented") taken = this.received.take(heard.files ?? [], heard.forget ?? [], bytes, request);
    });
    return { files: taken, warnings, report };
  }

  async write(files: TreeFile[], { into, base, careful }: Target, options?: Options, { signal }: { signal?: AbortSignal } = {}): Promise<Written> {
    check(files);
    if (!this.disk) throw new FieldprofError(`${this.what()} does not see the disk: write what it gives`);
    const answer = await this.hand(files, { kind: "write", options: plain(options), into, base, careful }, signal);
    return { files: (answer.files ?? []).map(({ path, size = 0 }) => ({ path, size })), warnings: answer.warnings ?? [], report: answer.report ?? {} };
  }

  /** Makes a request that transfers files. */
  private async hand(files: TreeFile[], request: object, signal?: AbortSignal, take?: Call["answered"]): Promise<Answer> {
    signal?.throwIfAborted();
    if (this.ended) throw this.ended;
    const id = ++this.last;
    const { body, ...named } = this.sent.name(files);
    const cancel = () => {
      this.queue.follow(id, () => this.send(frame({ kind: "cancel", id })));
      this.calls.get(id)?.failed(signal?.reason);
    };
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      return (await this.call(id, [{ id, ...request, ...named }, body], take)).answer;
    } finally {
      signal?.removeEventListener("abort", cancel);
    }
  }

  async salt(options?: Options): Promise<string> {
    const id = ++this.last;
    const { answer } = await this.call(id, [{ kind: "salt", id, options: plain(options) }]);
    return answer.salt ?? "";
  }

  stop(): Promise<void> {
    this.end("the fieldprof service was stopped");
    return this.close();
  }

  private close(): Promise<void> {
    this.stopped ??= this.channel.close();
    return this.stopped;
  }

  private what(): string {
    return `the fieldprof service (${this.channel.name})`;
  }

  /** Sends a request, in its turn, and waits for its answer. */
  private call(id: number, message: [head: object, body?: Uint8Array[]], take?: Call["answered"]): Promise<{ answer: Answer }> {
    if (this.ended) return Promise.reject(this.ended);
    return new Promise((resolve, reject) => {
      const parts = frame(...message); // throws before an answer is awaited
      this.calls.set(id, {
        answered: (answer, body) => {
          this.calls.delete(id);
          this.queue.answered(id);
          this.channel.hold(this.calls.size > 0);
          if (answer.kind === "error") reject(new FieldprofError(answer.text ?? "", answer));
          else {
            take?.(answer, body);
            resolve({ answer });
          }
        },
        failed: reject, // its answer may still come, and must be processed
      });
      this.channel.hold(true);
      this.queue.add(id, () => this.send(parts));
    });
  }

  private send(parts: Uint8Array[]): void {
    if (!this.ended) this.channel.send(parts);
  }

  private hear(answer: Answer, body: Uint8Array): void {
    const id = answer.id ?? 0;
    if (answer.kind === "error" && id === 0) {
      this.end(`${this.what()} gave up: ${answer.text}`);
      void this.close();
      return;
    }
    const call = this.calls.get(id);
    if (!call) throw new Error(`an answer to request ${id}, which nobody made`);
    call.answered(answer, body);
  }

  /** Rejects all calls, including later ones. */
  private end(text: string): void {
    if (this.ended) return;
    this.ended = new FieldprofError(text);
    for (const { failed } of this.calls.values()) failed(this.ended);
    this.calls.clear();
    this.channel.hold(false);
  }
}

/** Options for JSON. Values that JSON would silently drop are errors. */
function plain(options: unknown): unknown {
  return JSON.parse(JSON.stringify(options ?? {}, (_, value: unknown) => {
    if (typeof value === "function" || typeof value === "symbol" || typeof value === "bigint") return { type: typeof value };
    if (value instanceof RegExp) return { type: "RegExp", source: value.source };
    if (typeof value === "number" && !Number.isFinite(value)) return { type: String(value) };
    return value;
  }));
}

/** Rejects anything but a tree, before it causes an error elsewhere. */
function check(files: TreeFile[]): void {
  if (!Array.isArray(files)) throw new FieldprofError("files are an array of { path, contents }");
  for (const [i, file] of files.entries()) {
    if (typeof file?.path !== "string") throw new FieldprofError(`files[${i}].path is not a string`);
    if (!(file.contents instanceof Uint8Array)) throw new FieldprofError(`the contents of ${file.path} are not a Uint8Array`);
  }
  // Before any of them counts as sent.
  const size = files.reduce((sum, { contents }) => sum + contents.length, 0);
  if (size > maxBody) throw new FieldprofError(`the files have ${size} bytes; up to ${maxBody} can be instrumented at once`);
}
