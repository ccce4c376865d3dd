// The part of Node's process that programs for every engine use.
import { now } from "../core/real";
import type { Stream } from "./talk";

interface Surroundings {
  engine: string;
  path: string;
  args: string[];
  directory: string;
  env: Record<string, string>;
}

/** Gives the page a process whose streams and exit reach the host. */
export function installProcess(given: Surroundings, write: (stream: Stream, text: string) => void, exit: (code?: unknown) => never) {
  const stream = (number: Stream) => ({
    isTTY: false,
    write(text: unknown, ...rest: unknown[]) {
      write(number, text instanceof Uint8Array ? new TextDecoder().decode(text) : String(text));
      const written = rest.find((value) => typeof value === "function") as (() => void) | undefined;
      if (written) queueMicrotask(() => written());
      return true;
    },
  });
  const process = {
    argv: [given.engine, given.path, ...given.args],
    env: given.env,
    platform: given.engine,
    version: "",
    versions: {},
    exitCode: undefined as unknown,
    stdout: stream(1),
    stderr: stream(2),
    cwd: () => given.directory,
    exit,
    nextTick(task: (...values: unknown[]) => void, ...values: unknown[]) {
      queueMicrotask(() => task(...values));
    },
    hrtime: Object.assign(
      (since?: [number, number]) => {
        const [seconds, nanoseconds] = since ?? [0, 0];
        const passed = now() - (1e3 * seconds + nanoseconds / 1e6);
        return [Math.floor(passed / 1e3), Math.round((passed % 1e3) * 1e6)];
      },
      { bigint: () => BigInt(Math.round(now() * 1e6)) },
    ),
  };
  Object.defineProperty(globalThis, "process", { value: process, writable: true, configurable: true });
  return process;
}
