// Sends profiles of a page's sessions: `send({ url: "/profiles" })`. It records with the
// page's Profiler, the browser's or ours. It never throws into the page.
import { settle, type SendOptions } from "../send/options";
import { Sender } from "../send/sender";
import { openSession } from "../send/session";

export type { Envelope } from "../send/envelope";
export type { Consent, Route, SendOptions, SliceOptions } from "../send/options";

// A file of its own: only sessions that send slices need it.
const load = () => import("./interactions.js");

export interface Sending {
  /** The session's id in envelopes; empty if the options are wrong. */
  readonly session: string;
  /** Whether a profile is running. */
  readonly active: boolean;
  /** Starts or ends profiling according to consent, route and network. Asks for consent again, even if an answer is awaited. */
  update(): void;
  /** Sends what was recorded so far, and resolves when it is sent or dropped. */
  flush(): Promise<void>;
  /** Ends profiling, sends what was recorded, and resolves when it is sent or dropped. */
  stop(): Promise<void>;
}

/** Starts. Wrong options are reported to onnote. */
export function send(options: SendOptions): Sending {
  try {
    const settings = settle(options);
    const session = openSession(settings.seed);
    const sender = new Sender(settings, session, load);
    sender.start();
    return {
      session: session.id,
      get active() {
        return sender.active;
      },
      update: () => sender.askAgain(),
      flush: () => sender.flush().catch(() => {}),
      stop: () => sender.stop().catch(() => {}),
    };
  } catch (error) {
    try {
      options.onnote?.(`nothing is sent: ${error}`);
    } catch {
      // onnote failed, too.
    }
    const nothing = async () => {};
    return { session: "", active: false, update() {}, flush: nothing, stop: nothing };
  }
}
