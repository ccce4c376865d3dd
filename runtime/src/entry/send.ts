// Sends profiles of a page's sessions: `send({ url: "/profiles" })`. What is
// recorded is whatever Profiler the page has, the browser's or ours. Nothing of
// it ever throws into the page.
import { settle, type SendOptions } from "../send/options";
import { Sender } from "../send/sender";
import { openSession } from "../send/session";

export type { Envelope } from "../send/envelope";
export type { Consent, Route, SendOptions } from "../send/options";

export interface Sending {
  /** The session's id, as envelopes have it; empty if the options are wrong. */
  readonly session: string;
  /** Whether a profile is under way. */
  readonly active: boolean;
  /** Starts or ends profiling as consent, route and network are now. Consent is asked for again, even if it was not answered yet. */
  update(): void;
  /** Sends what there is, and resolves when it is sent or dropped. */
  flush(): Promise<void>;
  /** Ends profiling, sends what there is, and resolves when it is sent or dropped. */
  stop(): Promise<void>;
}

/** Begins. What is wrong with the options is told to onnote. */
export function send(options: SendOptions): Sending {
  try {
    const settings = settle(options);
    const session = openSession(settings.seed);
    const sender = new Sender(settings, session);
    sender.start();
    return {
      session: session.id,
      get active() {
        return sender.active;
      },
      update: () => sender.update(true),
      flush: () => sender.flush().catch(() => {}),
      stop: () => sender.stop().catch(() => {}),
    };
  } catch (error) {
    try {
      options.onnote?.(`nothing is sent: ${error}`);
    } catch {
      // Nobody to tell.
    }
    const nothing = async () => {};
    return { session: "", active: false, update() {}, flush: nothing, stop: nothing };
  }
}
