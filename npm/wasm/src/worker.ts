import type { Answer, Question } from "./messages";
import { run } from "./run";

// The service in a worker of a page. Messages that come before it runs wait.

const waiting: Question[] = [];
let take = (question: Question): void => void waiting.push(question);
onmessage = ({ data }: MessageEvent<Question>) => take(data);

const say = (answer: Answer) => postMessage(answer, { transfer: answer instanceof Uint8Array ? [answer.buffer] : [] });
const bytes = await (await fetch(new URL("./fieldprof.wasm", import.meta.url))).arrayBuffer();
const service = await run(await WebAssembly.compile(bytes), say, (end) => say({ end }));
take = (question) => (question ? service.read(question) : service.close());
waiting.forEach(take);
