// Where functions come from. Reads a JSON array of [file, line, column], from 1, of
// functions in deployed scripts, and writes where their source maps say that they
// are: "source:line", or "" for none. Maps are inline or where scripts say.
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const maps = new Map();
function mapOf(file) {
  if (!maps.has(file)) {
    const said = /\/\/# sourceMappingURL=(\S+)\s*$/.exec(readFileSync(file, 'utf8'));
    maps.set(file, new TraceMap(readFileSync(said ? join(dirname(file), decodeURIComponent(said[1])) : file + '.map', 'utf8')));
  }
  return maps.get(file);
}

const places = JSON.parse(readFileSync(0, 'utf8')).map(([file, line, column]) => {
  const found = originalPositionFor(mapOf(file), { line, column: column - 1 });
  return found.source === null ? '' : `${found.source}:${found.line}`;
});
process.stdout.write(JSON.stringify(places));
