// Reads {map, widths} from stdin and writes what
// @jridgewell/trace-mapping says of every generated position: for each line of
// widths[line] columns, "source:line:column:name" or "" for every column.
import { readFileSync } from "node:fs";
import { AnyMap, traceSegment } from "@jridgewell/trace-mapping";

const input = JSON.parse(readFileSync(0, "utf8"));
const map = new AnyMap(input.map);
const lines = input.widths.map((width, line) => {
  const out = [];
  for (let column = 0; column <= width; column++) {
    const s = traceSegment(map, line, column);
    out.push(s === null || s.length === 1 ? "" : `${map.sources[s[1]]}:${s[2]}:${s[3]}:${s.length === 5 ? map.names[s[4]] : ""}`);
  }
  return out;
});
process.stdout.write(JSON.stringify(lines));
