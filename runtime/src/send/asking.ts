// Asks for consent. The answer may come at once, late or never, and meanwhile the page
// moves on, so nothing here waits for it.
import { cancel, idly, type Timer } from "../core/timers";
import type { Consent } from "./options";


export class Asking {
  private asked = 0;
  /** The latest question with an answer. */
  private answered = 0;
  /** Whether that was a no. */
  private refused = false;
  /** Where the last question was asked. */
  private path = "";

  constructor(private readonly consent: () => Consent) {}

  /**
   * Asks, and calls back if the answer is yes. While it awaits an answer, or has a no, it
   * does not ask again at the same path, unless told to. Answers may come in any order: one that
   * comes after the answer to a later question is out of date.
   */
  ask(path: string, again: boolean, yes: () => void) {
    if ((this.asked > this.answered || this.refused) && path === this.path && !again) return;
    const question = ++this.asked;
    this.path = path;
    void this.consents().then((consents) => {
      if (question < this.answered) return;
      this.answered = question;
      this.refused = !consents;
      if (consents) yes();
    });
  }

  /** Never rejects; a question that fails counts as a no. */
  async consents(): Promise<boolean> {
    try {
      return (await this.consent()) === true;
    } catch {
      return false;
    }
  }
}

/** The value of a promise, or undefined if it takes longer than some milliseconds. */
export async function within<T>(milliseconds: number, promise: PromiseLike<T> | T, late?: () => void): Promise<T | undefined> {
  let timer: Timer;
  const end = new Promise<undefined>((resolve) => {
    timer = idly(() => {
      late?.();
      resolve(undefined);
    }, milliseconds);
  });
  try {
    return await Promise.race([promise, end]);
  } finally {
    cancel(timer);
  }
}
