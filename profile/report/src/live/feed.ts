// The page's side of the stream: it puts the worker's snapshots into the store that the
// views follow, and tells the worker what the reader looks at.
import { noFolds } from "../fold";
import type { Mark } from "../mark";
import { Func, Profile } from "../profile";
import { Store, type Texts } from "../store";
import type { Noted } from "./member";
import { nameOf, type Source, type ToServer } from "./protocol";
import { rangeOf, whole, type Follow, type FromWorker, type Look, type Snapshot, type ToWorker } from "./wire";

/** The kinds of changes: of the list of sources, of the samples, of the connection, or of what is looked at. */
export type News = "sources" | "snapshot" | "connection" | "look";

export type Connection = { is: "connecting" | "open" } | { is: "trying"; after: number } | { is: "refused"; why: string };

export const emptyProfile = () =>
  new Profile({ interval: 1, functions: [], depth: new Int32Array(), fn: new Int32Array(), time: new Float64Array(), node: new Int32Array(), line: new Int32Array(), weight: new Int32Array() });

export class Feed {
  readonly store: Store;
  sources: Source[] = [];
  /** Changes when the server was started again. */
  server = "";
  connection: Connection = { is: "connecting" };
  latest: Snapshot | null = null;
  private readonly look: Look = { shown: null, follow: "all", folds: noFolds, chart: "flame", width: 0, number: 0 };
  private readonly functions: Func[] = [];
  private readonly listeners: ((news: News) => void)[] = [];

  constructor(
    private readonly worker: { postMessage(message: ToWorker): void },
    texts: Texts,
  ) {
    this.store = new Store(emptyProfile(), null, texts);
    this.store.onChange((changed) => {
      if (changed === "range") this.chose();
      if (changed === "folds") this.see({ folds: this.store.folds });
    });
  }

  onNews(listener: (news: News) => void) {
    this.listeners.push(listener);
  }

  get follow(): Follow {
    return this.look.follow;
  }

  get shown(): string[] | null {
    return this.look.shown;
  }

  isShown(id: string): boolean {
    return this.look.shown?.includes(id) ?? true;
  }

  /** The IDs to name in a message or an address: undefined if all are shown. */
  get named(): string[] | undefined {
    return this.look.shown ?? undefined;
  }

  /** Whether a command for the shown sources would reach none. */
  get isNoneChosen(): boolean {
    return this.look.shown !== null && !this.sources.some(({ id }) => this.isShown(id));
  }

  send(message: ToServer) {
    this.worker.postMessage({ do: "send", message });
  }

  see(look: Partial<Look>) {
    Object.assign(this.look, look, { number: this.look.number + 1 });
    this.worker.postMessage({ do: "look", look: this.look });
    this.tell("look");
  }

  hear(message: FromWorker) {
    if (message.is === "snapshot") return this.show(message);
    if (message.is === "sources") {
      this.sources = message.list;
      this.server = message.server;
      return this.tell("sources");
    }
    if (this.connection.is !== "refused" || message.is !== "trying") this.connection = message;
    this.tell("connection");
  }

  private show(snapshot: Snapshot) {
    const { store, look } = this;
    for (const { name, file, line, kind } of snapshot.functions) this.functions.push(new Func(name, file, line, kind));
    const { profile, made } = whole(snapshot, this.functions);
    const shift = this.latest ? snapshot.origin - this.latest.origin : 0;
    this.latest = snapshot;
    store.marks = snapshot.marks.map((mark) => this.markOf(mark, snapshot));
    let { range } = snapshot;
    if (snapshot.look !== look.number) {
      range = rangeOf(look.follow, snapshot.origin, profile.end); // the reader was faster
      made.weights = made.flame = undefined;
    }
    store.replace(profile, range, shift, made);
    this.tell("snapshot");
    requestAnimationFrame(() => this.worker.postMessage({ do: "drawn" }));
  }

  /** A mark of the page, with its source if there are several. */
  private markOf({ source, start, end, what, name, detail }: Noted, { origin, sources }: Snapshot): Mark {
    const from = this.sources.length > 1 ? this.sources.find(({ id }) => id === sources[source]) : undefined;
    return { start: start - origin, end: end - origin, what, name, detail: [detail, from && nameOf(from)].filter(Boolean).join(" · ") };
  }

  /** The reader selected a range, or all. */
  private chose() {
    const { store, latest } = this;
    const origin = latest?.origin ?? 0;
    this.see({ follow: store.isWhole ? "all" : [store.range[0] + origin, store.range[1] + origin] });
  }

  private tell(news: News) {
    for (const listener of this.listeners) listener(news);
  }
}
