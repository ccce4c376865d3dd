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

/** How many reasons are told of one trouble: texts of servers and services may differ each time. */
const mostReasons = 5;

/** Says what is wrong once, until it is right again. */
export class Trouble {
  private readonly told = new Set<string>();

  constructor(
    private readonly tell: (text: string) => void,
    private readonly over: string,
  ) {}

  /** Something is wrong. A reason that was not told is worth another line. */
  begin(text: string, reason = text) {
    if (this.told.has(reason) || this.told.size >= mostReasons) return;
    this.told.add(reason);
    this.tell(text);
  }

  /** It is right again. */
  end() {
    if (this.told.size) this.tell(this.over);
    this.told.clear();
  }
}
