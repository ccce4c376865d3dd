#!/usr/bin/env node
import { spawn } from "node:child_process";
import { findProgram, missing } from "./program";

// The command line: runs the program of this platform in its place.

const program = findProgram();
if (program) run(program);
else fail(missing(""));

function run(path: string): void {
  const child = spawn(path, process.argv.slice(2), { stdio: "inherit" });
  const signals: NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];
  // A terminal sends Ctrl-C to both processes, and a second SIGINT would end the program without its output; SIGTERM never
  // counts twice. On Windows the console tells both, and kill would end the program at once.
  const pass = (signal: NodeJS.Signals) => {
    if (process.platform !== "win32") child.kill(signal === "SIGINT" ? "SIGTERM" : signal);
  };
  for (const signal of signals) process.on(signal, pass);
  child.on("error", (error) => fail(`${path} cannot be started: ${error.message}`));
  child.on("exit", (code, signal) => {
    for (const name of signals) process.off(name, pass);
    if (signal) process.kill(process.pid, signal);
    else process.exitCode = code ?? 1;
  });
}

function fail(text: string): void {
  console.error(`instrument: ${text}`);
  process.exitCode = 1;
}
