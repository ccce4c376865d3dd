// The protocol of live profiles from the side of a source: connects, sends batches, keeps
// them until the server has them, and connects again. docs/live.md describes the messages.
//
// A batch gets its number when it is first sent, and does not change from then on. If too
// many wait, the oldest ones lose samples and marks, but no records and stacks.
import { writeJSON } from "../core/json";
import type { Batch, Means, Socket, Source } from "./protocol";

const enum Limit {
  /** Nothing is sent while a socket has more to send than this, in bytes. */
  buffered = 1 << 20,
  /** The most that may be sent and not acknowledged, and the most that may wait, in characters. */
  unacked = 4 << 20,
  waiting = 4 << 20,
  /** How many batches may wait with their samples: a minute's. */
  batches = 240,
  /** Batches without samples are joined up to this size. */
  joined = 1 << 18,
  /** So many batches without a word of the server: the connection is dead. */
  unheard = 60,
  /** The pauses before connecting again, in milliseconds. */
  shortestPause = 250,
  longestPause = 5000,
  refused = 1008, // how a server closes that refuses for good
}

/** Takes samples and marks from a batch, and counts them. */
function strip(batch: Batch) {
  const { samples, marks, dropped = { batches: 0, ticks: 0 } } = batch;
  if (samples.stack.length + marks.length > 0) dropped.batches++;
  for (const ticks of samples.weight) dropped.ticks += ticks;
  Object.assign(batch, { dropped, samples: { delta: [], stack: [], weight: [], kind: [], skid: [] }, marks: [] });
}

/** Adds what is left of a later batch. */
function join(batch: Batch, later: Batch) {
  for (const record of later.records) batch.records.push(record);
  for (const number of later.stacks) batch.stacks.push(number);
  batch.notes.push(...later.notes);
  batch.dropped!.batches += later.dropped!.batches;
  batch.dropped!.ticks += later.dropped!.ticks;
  Object.assign(batch, { account: later.account, ended: later.ended });
}

export class Client {
  /** Whether the server has welcomed this connection. */
  isWelcome = false;
  private acked = 0;
  private socket: Socket | undefined;
  private connections = 0;
  private wanted = false;
  private pause: number = Limit.shortestPause;
  private unheard = 0;
  private isWaiting = false; // for the socket's buffer
  private seq = 0;
  /** Numbered, not acknowledged; so many of them went over this connection. */
  private sent: { seq: number; text: string }[] = [];
  private resent = 0;
  private sentSize = 0;
  /** Not yet numbered; so many of them have no samples any more. */
  private waiting: { batch: Batch; text: string }[] = [];
  private stripped = 0;
  private waitingSize = 0;

  constructor(
    private readonly means: Means,
    private readonly source: Source,
  ) {}

  /** Connects, and stays connected. */
  open() {
    if (!this.wanted) this.connect();
    this.wanted = true;
  }

  /** Ends the connection, and keeps what is not acknowledged. */
  close(why: string) {
    this.wanted = false;
    this.leave(why);
  }

  /** Leaves a connection that may be dead. */
  reconnect() {
    if (!this.wanted) return;
    this.leave("again");
    this.connect();
  }

  /** Sends a batch, now or when the server is there. It belongs to the client from now on. */
  add(batch: Batch) {
    const text = writeJSON(batch);
    this.waiting.push({ batch, text });
    this.waitingSize += text.length;
    const whole = () => this.waiting.length - this.stripped;
    while (whole() > 1 && (whole() > Limit.batches || this.waitingSize > Limit.waiting)) this.drop();
    if (this.socket && ++this.unheard > Limit.unheard) this.reconnect();
    this.pump();
  }

  /** Says something that needs no answer, if the server is there. */
  say(message: object) {
    if (this.isWelcome) this.socket!.send(writeJSON(message));
  }

  private connect() {
    const mine = ++this.connections;
    const isMine = () => mine === this.connections;
    this.unheard = this.resent = 0;
    const lost = () => {
      this.socket = undefined;
      this.isWelcome = false;
      this.means.after(this.pause, () => isMine() && this.wanted && this.connect());
      this.pause = Math.min(2 * this.pause, Limit.longestPause);
      this.source.lost("");
    };
    try {
      const socket = (this.socket = this.means.connect({
        open: () => isMine() && this.source.hello((hello) => isMine() && socket.send(writeJSON({ ...hello, acked: this.acked }))),
        message: (data) => isMine() && this.hear(data),
        closed: (code) => {
          if (code === Limit.refused) this.wanted = false;
          if (isMine()) lost();
        },
      }));
    } catch {
      lost();
    }
  }

  private leave(why: string) {
    this.connections++;
    this.isWelcome = false;
    this.socket?.close(why);
    this.socket = undefined;
  }

  private hear(data: unknown) {
    const message = JSON.parse(String(data));
    this.unheard = 0;
    if (message.type === "welcome") {
      this.isWelcome = true;
      this.pause = Limit.shortestPause;
      this.acknowledge(message.acked);
      this.source.welcome(message);
    } else if (message.type === "ack") this.acknowledge(message.seq);
    else if (message.type === "start") this.source.start(message);
    else if (message.type === "stop") this.source.stop();
    else if (message.type === "refused") this.source.lost(String(message.why));
    this.pump();
  }

  private acknowledge(seq: number) {
    while (this.sent[0]?.seq <= seq) {
      this.sentSize -= this.sent.shift()!.text.length;
      this.acked++;
      this.resent = Math.max(0, this.resent - 1);
    }
  }

  private pump() {
    while (this.isWelcome) {
      if (this.resent === this.sent.length && !this.number()) return;
      if (this.socket!.buffered() > Limit.buffered) break;
      this.socket!.send(this.sent[this.resent++].text);
    }
    if (!this.isWelcome || this.isWaiting) return;
    this.isWaiting = true;
    this.means.after(Limit.shortestPause, () => {
      this.isWaiting = false;
      this.pump();
    });
  }

  /** Numbers the next batch that waits. */
  private number(): boolean {
    if (this.sentSize > Limit.unacked || !this.waiting[0]) return false;
    const next = this.waiting.shift()!;
    this.stripped = Math.max(0, this.stripped - 1);
    this.waitingSize -= next.text.length;
    const text = `{"type":"batch","seq":${++this.seq},${next.text.slice(1)}`;
    this.sent.push({ seq: this.seq, text });
    this.sentSize += text.length;
    return true;
  }

  /** Drops the oldest samples and marks that wait. */
  private drop() {
    const [before, oldest] = [this.waiting[this.stripped - 1], this.waiting[this.stripped]];
    this.waitingSize -= oldest.text.length;
    strip(oldest.batch);
    let kept = oldest;
    if (before?.batch.profile === oldest.batch.profile && before.text.length + oldest.text.length < Limit.joined) {
      this.waitingSize -= before.text.length;
      join(before.batch, oldest.batch);
      this.waiting.splice(this.stripped, 1);
      kept = before;
    } else this.stripped++;
    kept.text = writeJSON(kept.batch);
    this.waitingSize += kept.text.length;
  }
}
