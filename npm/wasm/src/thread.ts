import { readFile } from "node:fs/promises";
import { parentPort } from "node:worker_threads";
import type { Answer, Question } from "./messages";
import { run } from "./run";

// The service in a thread of Node.

const port = parentPort;
if (!port) throw new Error("thread.js is for worker_threads: import fieldprof-wasm");

const say = (answer: Answer) => port.postMessage(answer, answer instanceof Uint8Array ? [answer.buffer as ArrayBuffer] : []);
const compiled = await WebAssembly.compile(await readFile(new URL("./fieldprof.wasm", import.meta.url)));
const service = await run(compiled, say, (end) => say({ end }));
port.on("message", (question: Question) => (question ? service.read(question) : service.close()));
