package engines

import (
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/engine/node"
	"github.com/fieldprof/fieldprof/internal/must"
)

// A program may replace what we use, as mocks do: it is not called, and the profile is there.
func TestReplacedFunctions(t *testing.T) {
	must.Have(t, "node")
	path := write(t, "app.js", `
const fs = require('fs');
let asked = 0;
const mocked = () => { asked++; throw new Error('mocked'); };
for (const name of Object.keys(fs)) if (/^[a-z]/.test(name) && typeof fs[name] === 'function') fs[name] = mocked;
JSON.stringify = mocked;
function work(x) { for (const end = Date.now() + 200; Date.now() < end;) x = (x * 1103 + 12345) % 65521; return x; }
console.log(work(1) > 0, asked);
`)
	if got, result := perform(t, node.Run, engine.Program{Path: path}, engine.Settings{}); got != (outcome{stdout: "true 0\n"}) || result.Profile == nil {
		t.Errorf("%+v", got)
	}
}

// The end of a program is noticed, and its errors are handed on, by Node's own functions, too.
func TestReplacedQueues(t *testing.T) {
	must.Have(t, "node")
	for _, c := range []struct {
		end  string
		code int
	}{{"await new Promise(() => {})", 13}, {"throw new Error('mine')", 1}} {
		path := write(t, "app.mjs", `
const mocked = () => { throw new Error('mocked'); };
globalThis.queueMicrotask = globalThis.setTimeout = globalThis.setImmediate = process.nextTick = mocked;
process.on('unhandledRejection', mocked);
`+c.end)
		if got, _ := perform(t, node.Run, engine.Program{Path: path}, engine.Settings{}); got.code != c.code || strings.Contains(got.failure, "mocked") {
			t.Errorf("%s: %+v", c.end, got)
		}
	}
}

// A recording does not ask a program how its arrays are written.
func TestToJSON(t *testing.T) {
	path := write(t, "app.js", `
let asked = 0;
Array.prototype.toJSON = Object.prototype.toJSON = () => { asked++; throw new Error('no text') };
function work(x) { for (const end = Date.now() + 200; Date.now() < end;) x = (x * 1103 + 12345) % 65521; return x; }
console.log(work(1) > 0, asked);
`)
	each(t, 1, func(t *testing.T, run runner) {
		got, result := perform(t, run, engine.Program{Path: path}, engine.Settings{})
		if got != (outcome{stdout: "true 0\n"}) || result.Profile == nil {
			t.Errorf("%+v", got)
		}
	})
}

// A recording that cannot be made text ends the run with an error.
func TestUnsentRecordings(t *testing.T) {
	path := write(t, "app.js", `
console.log('ran');
Object.defineProperty(Array.prototype, 'toJSON', { value() { throw new Error('no text') } });
`)
	each(t, 0, func(t *testing.T, run runner) {
		_, _, err := attempt(t.Context(), run, engine.Program{Path: path}, engine.Settings{})
		skipMissing(t, err)
		if err == nil || !strings.Contains(err.Error(), "no text") {
			t.Error(err)
		}
	})
}
