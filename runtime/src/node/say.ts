// What we tell whoever runs the service, on standard error: a line for each fact.
import { writeSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import { process } from "./nodeprocess";

/** For programs whose standard error somebody compares. Read at once: tests of apps replace the environment. */
const isSilent = process.env.FIELDPROF_LOG === "off";

/** Says a line. */
export function say(text: string) {
  if (isSilent) return;
  const line = `fieldprof: ${text}\n`;
  try {
    // A thread's own stream goes by way of the main thread, which may be ending.
    if (isMainThread) process.stderr.write(line);
    else writeSync(2, line);
  } catch {
    // Nobody listens.
  }
}

/** Says what is wrong once, until it is right again. */
export class Trouble {
  private last = "";

  constructor(
    private readonly tell: (text: string) => void,
    private readonly over: string,
  ) {}

  /** Something is wrong. A different reason is worth another line. */
  begin(text: string, reason = text) {
    if (reason !== this.last) this.tell(text);
    this.last = reason;
  }

  /** It is right again. */
  end() {
    if (this.last) this.tell(this.over);
    this.last = "";
  }
}
