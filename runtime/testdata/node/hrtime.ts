// Node's clock, which stands still until a test moves it. It must be imported before what is tested.
import process from "node:process";

let time = 1000;

/** Milliseconds. */
export function setTime(milliseconds: number) {
  time = milliseconds;
}

process.hrtime.bigint = () => BigInt(time) * 1_000_000n;
