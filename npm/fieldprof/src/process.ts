import { type ChildProcess, spawn } from "node:child_process";
import type { Channel, Listener } from "./channel";

/** How long a process may take to end once its input has. */
const patience = 2000;

/** How much of what a process says on its way down is worth repeating. */
const longest = 2000;

/** Starts a program as a service. It ends when this process does: its input closes. */
export function startProcess(program: string): Channel {
  const child = spawn(program, ["service"], { stdio: ["pipe", "pipe", "pipe"], windowsHide: true });
  const { stdin, stdout, stderr } = child;
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()).once("error", () => resolve()));
  let said = "";
  stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(0, longest);
  });
  stdin.on("error", () => {}); // it has ended, as 'close' says
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

/** Keeps this process alive for the child, or does not. */
function hold(child: ChildProcess, awaited: boolean): void {
  const call = awaited ? "ref" : "unref";
  for (const handle of [child, child.stdin, child.stdout, child.stderr]) (handle as unknown as { ref?(): void; unref?(): void } | null)?.[call]?.();
}

function lastWords(code: number | null, signal: string | null, said: string): string {
  const how = signal ? `it was killed by ${signal}` : `it exited with code ${code}`;
  return said.trim() === "" ? how : `${how}, and said: ${said.trim()}`;
}
