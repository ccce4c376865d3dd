// Asks for consent, which may be answered at once, late or never. While an answer
// is awaited the page moves on, so nothing here waits for it.
import type { Consent } from "./options";

const { setTimeout, clearTimeout } = globalThis;

export class Asking {
  private asked = 0;
  /** The latest question that was answered. */
  private answered = 0;
  /** Where the last question was asked. */
  private path = "";

  constructor(private readonly consent: () => Consent) {}

  /**
   * Asks, and calls back if the answer is yes. While an answer is awaited it does
   * not ask again at the same path, unless anew. Answers may come in any order: one
   * that comes after the answer to a later question is out of date.
   */
  ask(path: string, anew: boolean, yes: () => void) {
    if (this.asked > this.answered && path === this.path && !anew) return;
    const question = ++this.asked;
    this.path = path;
    void this.consents().then((consents) => {
      if (question < this.answered) return;
      this.answered = question;
      if (consents) yes();
    });
  }

  /** Never rejects; a question that fails is not answered by yes. */
  async consents(): Promise<boolean> {
    try {
      return (await this.consent()) === true;
    } catch {
      return false;
    }
  }
}

/** What a promise gives, or undefined where that takes longer than some milliseconds. */
export async function within<T>(milliseconds: number, promise: PromiseLike<T> | T, late?: () => void): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      late?.();
      resolve(undefined);
    }, milliseconds);
    (timer as { unref?(): void }).unref?.();
  });
  try {
    return await Promise.race([promise, end]);
  } finally {
    clearTimeout(timer);
  }
}
