// Reads requests, a JSON object a line: {"file": path, "goal": "auto" | "script" | "module" | "function body"}.
// Answers each with a JSON line {"file", "error"} or {"file", "bytes": N} and N bytes: the structure of the file
// as acorn sees it, in the words of dump_test.go.
import { readFileSync, writeSync } from "node:fs";
import { parse } from "acorn";
import { describe } from "./describe.mjs";

const base = { ecmaVersion: "latest", preserveParens: true, allowHashBang: true };
const asScript = { ...base, sourceType: "script", allowReturnOutsideFunction: true };
const asModule = { ...base, sourceType: "module" };

function read(source, goal) {
  if (goal === "module") return { tree: parse(source, asModule), goal };
  if (goal === "script") return { tree: parse(source, { ...asScript, allowReturnOutsideFunction: false }), goal };
  if (goal === "function body") return { tree: parse(source, asScript), goal };
  let first;
  try {
    return { tree: parse(source, asScript), goal: "script" };
  } catch (error) {
    first = error;
  }
  try {
    return { tree: parse(source, asModule), goal: "module" };
  } catch {
    throw first;
  }
}

function write(text) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

for (const line of readFileSync(0, "utf8").split("\n")) {
  if (!line) continue;
  const { file, goal } = JSON.parse(line);
  let text;
  try {
    const source = readFileSync(file, "utf8");
    const { tree, goal: found } = read(source, goal);
    text = describe(source, tree, found, goal === "auto");
  } catch (error) {
    write(JSON.stringify({ file, error: String(error.message ?? error), syntax: error instanceof SyntaxError }) + "\n");
    continue;
  }
  write(JSON.stringify({ file, bytes: Buffer.byteLength(text) }) + "\n" + text);
}
