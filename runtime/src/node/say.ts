// Messages to the people who run the service, on standard error: a line for each fact.
import { writeSync } from "node:fs";
import { variables } from "./inherited";

/** For programs whose standard error is compared. */
const isSilent = variables.FIELDPROF_LOG === "off";

/** Says a line. */
export function say(text: string) {
  if (isSilent) return;
  try {
    // Not by process.stderr: if its reader has gone, as in `node app.js 2>&1 | head`, it emits an error that
    // ends the app; and a thread's process.stderr goes by way of the main thread, which may be ending.
    writeSync(2, `fieldprof: ${text}\n`);
  } catch {
    // Nothing reads standard error any more.
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
