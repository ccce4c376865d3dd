package engines

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/engine/node"
	"github.com/fieldprof/fieldprof/internal/must"
)

// Features that only Node has: its modules, its input, files beside the program, and a
// violent end.
func TestNode(t *testing.T) {
	must.Have(t, "node")
	folder := t.TempDir()
	must.WriteTree(t, folder, map[string]string{
		"data.json": `{"n": 7}`,
		"app.js": `
const fs = require('fs'), path = require('node:path'), which = './data.json';
console.log(fs.readFileSync(0, 'utf8').trim(), require(which).n, require.main === module, path.basename(__filename), path.basename(process.argv[1]), typeof require.resolve(which));
process.on('exit', (code) => console.log('exit', code));`,
		"place.js":      "const { basename } = require('path'); console.log(require.main === module, basename(__filename), basename(process.argv[1]))",
		"killed.js":     "process.kill(process.pid, 'SIGKILL')",
		"ended.js":      "setInterval(() => {}, 1000); process.kill(process.pid, 'SIGTERM')",
		"never.mjs":     "await new Promise(() => {})",
		"exits.mjs":     "await null; process.on('exit', (code) => console.log(code, process.exitCode)); process.exit()",
		"seen.js":       "process.on('uncaughtExceptionMonitor', (e, origin) => console.log(e.message, origin)); throw new Error('seen')",
		"(a) [b]~#.mjs": "import { pathToFileURL } from 'node:url'; console.log(import.meta.url === pathToFileURL(process.argv[1]).href, import.meta.url)",
		"heeds.js":      "process.on('uncaughtException', (e) => { console.log('caught', e.message); process.exitCode = 4 }); setTimeout(() => { throw new Error('mine') })",
	})
	in := func(name string) string { return filepath.Join(folder, name) }
	got, result := perform(t, node.Run, engine.Program{Path: in("app.js"), Stdin: strings.NewReader("input\n")}, engine.Settings{})
	if want := "input 7 true app.js app.js string\nexit 0\n"; got.stdout != want || got.failure != "" || result.CPU <= 0 {
		t.Errorf("%+v\nwant %s", got, want)
	}
	must.Do(t, os.Symlink(in("place.js"), in("link.js")))
	if got, _ := perform(t, node.Run, engine.Program{Path: in("link.js")}, engine.Settings{}); got.stdout != "true place.js link.js\n" {
		t.Errorf("by a link: %+v", got)
	}
	if _, _, err := attempt(t.Context(), node.Run, engine.Program{Path: in("killed.js")}, engine.Settings{}); err == nil || !strings.Contains(err.Error(), "killed") || !strings.Contains(err.Error(), "lost") {
		t.Errorf("%v", err)
	}
	if got, result := perform(t, node.Run, engine.Program{Path: in("ended.js")}, engine.Settings{}); got.code != 128+15 || result.Stopped || result.Profile == nil {
		t.Errorf("%+v, stopped: %v", got, result.Stopped)
	}
	if got, _ := perform(t, node.Run, engine.Program{Path: in("never.mjs")}, engine.Settings{}); got.code != 13 {
		t.Errorf("%+v", got)
	}
	if got, _ := perform(t, node.Run, engine.Program{Path: in("exits.mjs")}, engine.Settings{}); got.code != 0 || got.stdout != "0 undefined\n" {
		t.Errorf("%+v", got)
	}
	if got, _ := perform(t, node.Run, engine.Program{Path: in("seen.js")}, engine.Settings{}); got.code != 1 || got.stdout != "seen uncaughtException\n" {
		t.Errorf("%+v", got)
	}
	if got, _ := perform(t, node.Run, engine.Program{Path: in("(a) [b]~#.mjs")}, engine.Settings{}); !strings.HasPrefix(got.stdout, "true ") {
		t.Errorf("%+v", got)
	}
	if got, _ := perform(t, node.Run, engine.Program{Path: in("heeds.js")}, engine.Settings{}); got.code != 4 || got.stdout != "caught mine\n" || got.failure != "" {
		t.Errorf("%+v", got)
	}
}
