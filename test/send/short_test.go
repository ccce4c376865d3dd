package send

import (
	"io/fs"
	"maps"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format"
	"github.com/fieldprof/fieldprof/profile/symbols"
	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/test/browser"
)

// twins has functions of one name, as minifiers leave them: a merge by name would lose one.
const twins = `
var worked = 0;
function spin() { var x = 0; for (var end = performance.now() + 5; performance.now() < end;) x += Math.sqrt(x + 1); return x }
var first = (function () { return function t() { for (var i = 0; i < 3; i++) spin() } })();
var second = (function () { return function t() { for (var i = 0; i < 3; i++) spin() } })();
function loop() { first(); second(); worked++; setTimeout(loop, 5) }
loop();
`

// A visit that ends with its first samples has names, or positions that lead to them.
func TestShortVisit(t *testing.T) {
	for _, tables := range []string{"early", "none"} {
		t.Run(tables, func(t *testing.T) {
			browser.Each(t, func(t *testing.T, b *browser.Browser) {
				site := files(t).(fstest.MapFS)
				maps.Copy(site, instrumented(t, "program.js", twins))
				script := must.Get(fs.ReadFile(runtime.Files(), "runtime.js"))(t)
				site["runtime.js"] = &fstest.MapFile{Data: runtime.Configure(script, runtime.Options{Tables: tables})}
				to := &wire{ingest: &ingest{t: t, keepsText: true}, table: site["program.js.functions.json"].Data}
				dist := t.TempDir()
				must.Do(t, os.CopyFS(dist, site))
				delete(site, "program.js.functions.json")
				server := browser.Serve(t, browser.Site{Files: site, Handler: to})
				page := b.Open(server.URL + "/index.html")
				page.Wait("window.ready")
				page.Eval("void begin({})")
				records(page, 10)
				page.Eval("void setTimeout(() => { location.href = 'other.html' })")
				page.Wait("document.title === 'another page'")
				last := to.wait(t, "the chunk", func(*request) bool { return true })
				if asked := to.tables(); tables == "none" && len(asked) > 0 {
					t.Errorf("tables were asked for: %q", asked)
				}
				checkResolved(t, last, dist, tables)
			})
		})
	}
}

// checkResolved checks that every frame is in a function of the script, read with its tables.
func checkResolved(t *testing.T, r *request, dist, tables string) {
	t.Helper()
	p, _, err := format.Read(strings.NewReader(r.text), "chunk.json")
	must.Do(t, err)
	told := strings.Contains(strings.Join(p.Meta.Notes, "\n"), "tables: none")
	if told != (tables == "none") {
		t.Errorf("the notes are %q", p.Meta.Notes)
	}
	found := must.Get(symbols.Find(p, nil, []string{dist}))(t)
	p = found.Symbolize(p, false)
	lines := map[string]map[int32]bool{}
	for f := range p.Functions.Name {
		fn := p.Function(profile.FunctionID(f))
		if fn.Flags&(profile.Pseudo|profile.NativeCode) != 0 {
			continue
		}
		if fn.Name == "" && fn.Flags&profile.TopLevel == 0 {
			t.Errorf("a function at %s:%d:%d has no name", fn.File, fn.Line, fn.Column)
		}
		if lines[fn.Name] == nil {
			lines[fn.Name] = map[int32]bool{}
		}
		lines[fn.Name][fn.Line] = true
	}
	for name, want := range map[string]int{"spin": 1, "t": 2, "loop": 1} {
		if len(lines[name]) != want {
			t.Errorf("%s is in lines %v: %s", name, lines[name], r.text)
		}
	}
}
