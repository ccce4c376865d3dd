// The messages of live profiles, as in profile/live/message.go: docs/live.md. All are
// JSON objects in text frames.

export const version = 1;
export const subprotocol = "fieldprof.live.1";
/** Profile ids below this are the engine's; functions have the others. */
export const firstID = 2;

/** source → server, first. */
export interface Hello {
  type: "hello";
  version: number;
  token: string;
  /** The same for all connections of a realm. */
  id: string;
  /** The source that this one replaces: the page before a reload. */
  after?: string;
  /** Of the site, as the server named it. */
  build?: string;
  what: "page" | "worker" | "node" | "goja";
  name: string;
  url: string;
  engine: string;
  clocks: string[];
  /** When performance.now() was 0, in milliseconds since 1970. */
  origin: number;
  /** The profile that goes on, its interval and its clock. */
  recording?: number;
  interval?: number;
  clock?: string;
  /** The last batch that was acknowledged. */
  acked?: number;
}

/** server → source. Without a profile, a source that records stops. */
export interface Welcome {
  type: "welcome";
  acked: number;
  server: string;
  profile?: number;
  interval?: number;
  clock?: string;
}

/** server → source; from a source the wish to be started. */
export interface Start {
  type: "start";
  profile?: number;
  interval: number;
  clock?: string;
}

/** source → server: the news of a profile. Client.add gives it its type and number. */
export interface Batch {
  profile: number;
  /** In the first batch of a profile: when it began, in milliseconds since 1970. */
  began?: { time: number; interval: number; clock: string };
  ended?: boolean;
  records: { id: number; name: string; file: string }[];
  /** Flat: parent, record, line, column. */
  stacks: number[];
  samples: Samples;
  marks: Mark[];
  /** Since the profile began. */
  account: Account;
  notes: string[];
  dropped?: { batches: number; ticks: number };
}

export interface Account {
  raised: number;
  missed: number;
  taken: number;
  idle: number;
  program: number;
  lost: number;
}

export interface Samples {
  /** Microseconds since the sample before; of the first one, since the profile began. */
  delta: number[];
  stack: number[];
  weight: number[];
  kind: number[];
  skid: number[];
}

/** Times are in microseconds since the profile began. */
export interface Mark {
  time: number;
  duration?: number;
  what: "interaction" | "long-task" | "mark" | "measure" | "frame" | "note";
  name: string;
  detail?: string;
}

// --- the surroundings of the client, and its source -----------------------------

/** An open socket, or one that opens. */
export interface Socket {
  send(text: string): void;
  close(why: string): void;
  /** How many bytes it has not yet sent. */
  buffered(): number;
}

export interface SocketEvents {
  open(): void;
  message(data: unknown): void;
  /** Called once, also if it never opened; code is that of the closing frame. */
  closed(code: number): void;
}

/** The means that a client needs from its surroundings. */
export interface Means {
  /** Opens a socket. May throw. */
  connect(events: SocketEvents): Socket;
  /** Calls a task after some milliseconds. */
  after(milliseconds: number, task: () => void): void;
}

/** A client's questions and messages to its source. */
export interface Source {
  /** Calls `say` with what the source is, at once or later. */
  hello(say: (hello: Hello) => void): void;
  welcome(welcome: Welcome): void;
  start(order: Start): void;
  stop(): void;
  /** The connection is lost, or the server refuses: then with its reason. */
  lost(why: string): void;
}
