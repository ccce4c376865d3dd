package runtime

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/test/browser"
)

// stacks are the stacks of testdata/shapes.js as read, innermost first: functions by name
// and line; * is a name on which engines differ. Native and wasm frames are removed, and so
// are frames that only wait.
var stacks = map[string][]string{
	"top level":   {":35"},
	"static":      {"s:7", "run:19", ":1"},
	"getter":      {"*:8", "run:19", ":1"},
	"private":     {"#p:9", "all:10", "run:19", ":1"},
	"computed":    {"*:11", "run:19", ":1"},
	"constructor": {"C:12", "run:19", ":1"},
	"function":    {"f:14", "run:19", ":1"},
	"method":      {"m:15", "run:21", ":1"},
	"odd name":    {"a@b (c):15", "run:19", ":1"},
	"builtin":     {"*:20", "run:20", ":1"},
	"eval":        {":1 eval", "run:22", ":1"},
	"in eval":     {"ev:1 eval", ":1 eval", "run:22", ":1"},
	"nested eval": {":1 eval", "ev:1 eval", ":1 eval", "run:22", ":1"},
	"Function":    {"*:3 eval", "run:23", ":1"},
	"timer":       {"tick:24"},
	"after await": {"later:17"},
	"awaited":     {"inner:16"},
	"wasm":        {"f:28", "run:29"},
	"data (x)@y":  {":1 data"},
	"event":       {"listener:32", "run:33"},
}

// inWebKit are the same stacks in JavaScriptCore: without code from eval, and with a frame
// for the call of an async function below the frame of its body.
func inWebKit(frames []string) []string {
	var left []string
	for i, f := range frames {
		if strings.HasSuffix(f, " eval") {
			continue
		}
		left = append(left, f)
		if strings.HasPrefix(f, "run:") && i+1 < len(frames) {
			left = append(left, "run:18")
		}
	}
	return left
}

// bundled is a module for pages that exports what testdata/format.ts does.
func bundled(t *testing.T) []byte {
	t.Helper()
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{"testdata/format.ts"}, Bundle: true, Platform: api.PlatformBrowser, Format: api.FormatESModule, Target: api.ES2020,
		TsconfigRaw: `{"compilerOptions":{"useDefineForClassFields":false}}`,
	})
	if len(result.Errors) > 0 {
		t.Fatal(api.FormatMessages(result.Errors, api.FormatMessagesOptions{}))
	}
	return result.OutputFiles[0].Contents
}

func TestStacksAreRead(t *testing.T) {
	shapes := must.Get(os.ReadFile("testdata/shapes.js"))(t)
	site := browser.Serve(t, browser.Site{Files: fstest.MapFS{
		"index.html": {Data: []byte("<!doctype html>\n<script src=\"shapes.js\"></script>")},
		"start.js":   {Data: []byte("window.ran = run()")},
		"shapes.js":  {Data: shapes},
		"format.js":  {Data: bundled(t)},
	}})
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		page := b.Open(site.URL + "/index.html?a=1:2#b")
		value := page.Eval(`(async () => {
			const { format } = await import('/format.js');
			const script = document.createElement('script');
			script.src = 'start.js';
			await new Promise((done) => { script.onload = done; document.body.append(script); });
			await ran;
			/b(c)(d)/.exec('abcde'); // of a function that a sample interrupts
			const statics = () => ['input', 'lastMatch', 'lastParen', 'leftContext', 'rightContext', '$1', '$2', '$3'].map((name) => RegExp[name]).join();
			const before = statics();
			format(Object.values(kept), true);
			if (statics() !== before) return {};
			return Object.fromEntries(Object.entries(kept).map(([label, { error, stack }]) => {
				const frames = [];
				for (let at = stack; at; at = at.parent) frames.push(at.frame);
				return [label, error === null ? frames : []];
			}));
		})()`)
		got := must.JSON[map[string][]frame](t, value)
		if len(got) == 0 {
			t.Error("reading stacks changes what RegExp knows of the page's last match")
		}
		for _, label := range slices.Sorted(maps.Keys(stacks)) {
			var frames []string
			for _, f := range got[label] {
				if f.Column < 1 {
					t.Errorf("%s: %+v has no column", label, f)
				}
				frames = append(frames, f.String())
			}
			want := stacks[label]
			if b.Name == "webkit" {
				want = inWebKit(want)
			}
			same := slices.EqualFunc(frames, want, func(is, want string) bool {
				at, found := strings.CutPrefix(want, "*")
				return is == want || found && strings.HasSuffix(is, at)
			})
			if !same {
				t.Errorf("%s: %q, want %q", label, frames, want)
			}
		}
	})
}

// frame is a Frame of runtime/src/stacks/stack.ts.
type frame struct {
	Name, URL    string
	Line, Column int
}

func (f *frame) String() string {
	text := fmt.Sprintf("%s:%d", f.Name, f.Line)
	switch {
	case strings.HasSuffix(f.URL, " > eval"):
		return text + " eval"
	case strings.HasPrefix(f.URL, "data:"):
		return text + " data"
	}
	return text
}

// A page's Error.prepareStackTrace never sees our errors and stays as it was,
// installed before or after they were made.
func TestPrepareStackTraceIsThePages(t *testing.T) {
	site := browser.Site{Files: fstest.MapFS{
		"index.html": {Data: []byte("<!doctype html><script src=inside.js></script>")},
		"inside.js":  {Data: []byte("const First = Error; function inside() { return { error: new First(), hidden: 0, stack: null }; }")},
		"format.js":  {Data: bundled(t)},
	}}
	ways := map[string]string{
		"a function":           "Error.prepareStackTrace = page",
		"read-only":            "Object.defineProperty(Error, 'prepareStackTrace', { value: page, configurable: true })",
		"an accessor":          "Object.defineProperty(Error, 'prepareStackTrace', { get: page, set: page, configurable: true })",
		"sealed":               "Error.prepareStackTrace = page; Object.seal(Error)",
		"frozen":               "Object.freeze(Error)",
		"frozen with a hook":   "Error.prepareStackTrace = page; Object.freeze(Error)",
		"another Error":        "window.Error = class extends Error {}; Error.prepareStackTrace = page",
		"no Error":             "Object.getPrototypeOf(TypeError).prepareStackTrace = page; delete window.Error",
		"Function's prototype": "Function.prototype.prepareStackTrace = page",
	}
	browser.Each(t, func(t *testing.T, b *browser.Browser) {
		for way, install := range ways {
			for _, when := range []string{"before", "after"} {
				if when == "after" && !strings.HasPrefix(way, "a") {
					continue
				}
				page := b.Open(browser.Serve(t, site).URL + "/index.html") // of another origin: in the same window
				value := page.Eval(`(async () => {
					const { format } = await import('/format.js');
					let calls = 0;
					const page = () => { calls++; return 'text'; };
					const describe = () => Object.getOwnPropertyDescriptor(First, 'prepareStackTrace');
					const install = () => { ` + install + ` };
					if ('` + when + `' === 'before') install();
					const capture = inside();
					if ('` + when + `' === 'after') install();
					const was = describe();
					format([capture]);
					const is = describe();
					const same = ['value', 'get', 'set', 'writable', 'enumerable', 'configurable'].every((key) => was?.[key] === is?.[key]);
					return [calls, same, capture.stack?.frame.name ?? ''].join();
				})()`)
				want := `"0,true,inside"`
				if way == "frozen with a hook" && b.Name == "chromium" {
					want = `"0,true,"` // it can only be left unread; the others call no hook
				}
				if string(value) != want {
					t.Errorf("%s, %s the capture: %s, want %s", way, when, value, want)
				}
				page.Close()
			}
		}
	})
}
