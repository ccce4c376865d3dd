import type { Answer, Question } from "./messages";

/** Receives from a service. */
export interface Listener {
  bytes(chunk: Uint8Array): void;
  /** The service has ended. */
  end(why: string): void;
}

/** Bytes to and from a service, framed as in package transform/service. */
export interface Channel {
  readonly name: string;
  listen(listener: Listener): void;
  send(parts: Uint8Array[]): void;
  /** Sets whether an answer is awaited. If not, the process may end without it. */
  hold(awaited: boolean): void;
  /** Ends the service, and resolves when it has ended. */
  close(): Promise<void>;
}

/** A thread that runs the service. */
export interface Thread {
  post(question: Question): void;
  hold(awaited: boolean): void;
  terminate(): Promise<void>;
}

/** The channel over a thread, and the function to call with its messages. */
export function over(thread: Thread): { channel: Channel; hear: (answer: Answer) => void } {
  let listener: Listener | undefined;
  let early: Answer[] = []; // messages before there was a listener
  const hear = (answer: Answer) => {
    if (!listener) early.push(answer);
    else if (answer instanceof Uint8Array) listener.bytes(answer);
    else listener.end(answer.end);
  };
  const channel: Channel = {
    name: "fieldprof-wasm",
    listen(heard) {
      listener = heard;
      for (const answer of early) hear(answer);
      early = [];
    },
    send: (parts) => parts.forEach((part) => thread.post(part)),
    hold: (awaited) => thread.hold(awaited),
    close: () => thread.terminate(),
  };
  return { channel, hear };
}
