import { type ChildProcess, spawn } from "node:child_process";
import type { Channel, Listener } from "./channel";

/** How long a process may take to end after its input has. */
const patience = 2000;

/** How much of a failing process's output is repeated in the message. */
const longest = 2000;

/** Starts a program as a service. It ends with this process, when its input closes. */
export function startProcess(program: string): Channel {
  const child = spawn(program, ["service"], { stdio: ["pipe", "pipe", "pipe"], windowsHide: true });
  const { stdin, stdout, stderr } = child;
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()).once("error", () => resolve()));
  let said = "";
  stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(0, longest);
  });
  stdin.on("error", () => {}); // it has ended: 'close' follows
  return {
    name: program,
    disk: true,
    listen(listener: Listener) {
      stdout.on("data", (chunk: Uint8Array) => listener.bytes(chunk));
      child.once("error", (error) => listener.end(`it cannot be started: ${error.message}`));
      child.once("close", (code, signal) => listener.end(lastWords(code, signal, said)));
    },
    send(parts) {
      stdin.cork();
      for (const part of parts) stdin.write(part);
      stdin.uncork();
    },
    hold: (awaited) => hold(child, awaited),
    async close() {
      stdin.end();
      hold(child, true);
      const timer = setTimeout(() => child.kill("SIGKILL"), patience);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** Sets whether the child keeps this process alive. */
function hold(child: ChildProcess, awaited: boolean): void {
  const call = awaited ? "ref" : "unref";
  for (const handle of [child, child.stdin, child.stdout, child.stderr]) (handle as unknown as { ref?(): void; unref?(): void } | null)?.[call]?.();
}

function lastWords(code: number | null, signal: string | null, said: string): string {
  const how = signal ? `it was killed by ${signal}` : `it exited with code ${code}`;
  return said.trim() === "" ? how : `${how}, and said: ${said.trim()}`;
}
