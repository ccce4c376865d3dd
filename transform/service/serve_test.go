package service

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// site is a tree with a page, scripts, one of them broken, and files that are copied.
func site() []builddir.File {
	return []builddir.File{
		{Path: "app.js", Data: []byte("function app(list) { for (const f of list) f(); return list }\napp([]);\n")},
		{Path: "broken.js", Data: []byte("\nlet ‘𝒳’ = }")},
		{Path: "empty.txt", Data: []byte{}},
		{Path: "index.html", Data: []byte("<!doctype html><script src=app.js></script>")},
		{Path: "logo.png", Data: []byte("\x89PNG\r\n")},
		{Path: "vendor.js", Data: []byte("function vendor(list) { for (const f of list) f(); return list }\nvendor([]);\n")},
	}
}

// expected is what package builddir makes of a tree.
func expected(t *testing.T, files []builddir.File, options string) ([]builddir.File, *builddir.Report) {
	t.Helper()
	made, report, err := builddir.Files(t.Context(), files, must.Get(decodeOptions(json.RawMessage(options)))(t))
	must.Do(t, err)
	return made, report
}

// The service returns what package builddir does.
func TestInstrument(t *testing.T) {
	c := connect(t)
	files := site()
	c.ask(1, `{"preset":"precise","exclude":["vendor.js"]}`, files)
	got, body := c.hear()
	if got.Kind != kindInstrumented || got.ID != 1 {
		t.Fatalf("%+v", got)
	}
	want, report := expected(t, files, `{"preset":"precise","exclude":["vendor.js"]}`)
	if made := c.take(got, body, files); !reflect.DeepEqual(made, want) {
		t.Errorf("%d files; %d wanted, or other contents", len(made), len(want))
	}
	if got.Report.Preset != "precise" || got.Report.Instrumented != report.Instrumented || got.Report.Instrumented == 0 {
		t.Errorf("report: %+v", got.Report)
	}
	// ‘ has three bytes: the place is given in bytes.
	at := location{"broken.js", 2, 4}
	if len(got.Warnings) != 1 || got.Warnings[0].Location == nil || *got.Warnings[0].Location != at {
		t.Errorf("warnings: %+v", got.Warnings)
	}
	if err := c.end(); err != nil {
		t.Error(err)
	}
}

// A tree that has no use for the runtime does not get it.
func TestNothingToInstrument(t *testing.T) {
	c := connect(t)
	files := []builddir.File{{Path: "a.css", Data: []byte("p{}")}, {Path: "types/a.d.ts", Data: []byte("export {}")}}
	c.ask(1, `{}`, files)
	got, body := c.hear()
	if made := c.take(got, body, files); !reflect.DeepEqual(made, files) {
		t.Errorf("it becomes %d files", len(made))
	}
	dist := filepath.Join(t.TempDir(), "dist")
	c.into(2, dist, false, files)
	if there := must.ReadTree(t, dist); len(there) != len(files) {
		t.Errorf("written are %d files", len(there))
	}
}

// A rebuild sends what changed, and hears what changed.
func TestRebuild(t *testing.T) {
	c := connect(t)
	files := site()
	first := c.ask(1, `{}`, files)
	got, body := c.hear()
	whole := c.take(got, body, files)
	for turn := uint64(2); turn < 12; turn++ {
		files = site()
		files[0].Data = append(files[0].Data, fmt.Sprintf("var turn = %d;\n", turn)...)
		sent := c.ask(turn, `{}`, files)
		got, body := c.hear()
		if sent != len(files[0].Data) || sent >= first {
			t.Errorf("turn %d sent %d bytes for one file of %d", turn, sent, len(files[0].Data))
		}
		for _, n := range got.Files {
			if n.Size != nil && !strings.HasPrefix(n.Path, "app.js") {
				t.Errorf("turn %d: %s came again", turn, n.Path)
			}
		}
		want, _ := expected(t, files, "")
		if made := c.take(got, body, files); !reflect.DeepEqual(made, want) || len(made) != len(whole) {
			t.Errorf("turn %d: not what builddir gives", turn)
		}
	}
	// Files that were changed long ago are not kept.
	if n := len(c.sent.byPath["app.js"]); n > kept {
		t.Errorf("%d contents of one file are remembered", n)
	}
	if n := len(c.received); n > len(whole)+2*kept*3 {
		t.Errorf("%d contents are kept for %d files", n, len(whole))
	}
}

// Answers come when they are ready, each with the id of its request.
func TestManyRequests(t *testing.T) {
	c := connect(t)
	const many = 20
	go func() {
		for id := uint64(1); id <= many; id++ {
			files := site()
			files[0].Data = fmt.Appendf(files[0].Data, "var id%d;", id)
			c.ask(id, `{}`, files)
		}
	}()
	seen := map[uint64]bool{}
	for range many {
		got, body := c.hear()
		if got.Kind != kindInstrumented || seen[got.ID] {
			t.Fatalf("%+v", got)
		}
		seen[got.ID] = true
		files := site()
		files[0].Data = fmt.Appendf(files[0].Data, "var id%d;", got.ID)
		var app []byte
		for _, f := range c.take(got, body, files) {
			if f.Path == "app.js" {
				app = f.Data
			}
		}
		if !bytes.Contains(app, fmt.Appendf(nil, "var id%d;", got.ID)) {
			t.Errorf("request %d got another's answer", got.ID)
		}
	}
}

func TestCancel(t *testing.T) {
	c := connect(t)
	var files []builddir.File
	for i := range 2000 {
		files = append(files, builddir.File{Path: fmt.Sprintf("f%d.js", i), Data: bytes.Repeat([]byte("function f(a){for(const b of a)b()}\n"), 200)})
	}
	c.ask(1, `{"minStatements":1}`, files)
	c.say(request{Kind: kindCancel, ID: 1}, nil)
	c.say(request{Kind: kindCancel, ID: 77}, nil) // of nothing
	if got, _ := c.hear(); got.Kind != kindError || got.ID != 1 || got.Text != "cancelled" {
		t.Fatalf("%s %d %s", got.Kind, got.ID, got.Text)
	}
	c.say(request{Kind: kindSalt, ID: 1, Options: json.RawMessage(`{}`)}, nil) // the id is free again
	if got, _ := c.hear(); got.Salt == "" {
		t.Errorf("%+v", got)
	}
}

// A wrong request fails alone; the service goes on.
func TestWrongRequests(t *testing.T) {
	c := connect(t)
	c.ask(1, `{"presett":"fine"}`, site())
	if got, _ := c.hear(); got.ID != 1 || got.Option != "presett" || !strings.Contains(got.Text, `did you mean "preset"?`) {
		t.Errorf("%+v", got)
	}
	c.ask(2, `{}`, []builddir.File{{Path: "../app.js", Data: []byte("f()")}})
	if got, _ := c.hear(); got.ID != 2 || !strings.Contains(got.Text, "../app.js") {
		t.Errorf("%+v", got)
	}
	c.ask(3, `{}`, site())
	if got, _ := c.hear(); got.ID != 3 || got.Kind != kindInstrumented {
		t.Errorf("%+v", got)
	}
}

// Messages that make no sense end the service, with a reason.
func TestNonsense(t *testing.T) {
	size := func(n int) *int { return &n }
	files := func(named ...namedFile) request {
		return request{Kind: kindInstrument, ID: 1, Files: named}
	}
	for want, say := range map[string]func(c *client){
		"without an id":          func(c *client) { c.say(request{Kind: kindSalt}, nil) },
		`"dance", which is not`:  func(c *client) { c.say(request{Kind: "dance", ID: 1}, nil) },
		"with a body":            func(c *client) { c.say(request{Kind: kindSalt, ID: 1}, [][]byte{{1}}) },
		"cannot be read":         func(c *client) { c.say([]int{1}, nil) },
		"never sent or are":      func(c *client) { c.say(files(namedFile{Path: "a", Content: 3}), nil) },
		"no number":              func(c *client) { c.say(files(namedFile{Path: "a", Size: size(0)}), nil) },
		"which were sent before": func(c *client) { c.say(files(namedFile{"a", 1, size(0), nil}, namedFile{"b", 1, size(0), nil}), nil) },
		"has 5 bytes, of which":  func(c *client) { c.say(files(namedFile{"a", 1, size(5), nil}), [][]byte{{1, 2}}) },
		"has -1 bytes":           func(c *client) { c.say(files(namedFile{"a", 1, size(-1), nil}), nil) },
		"belong to no file":      func(c *client) { c.say(files(), [][]byte{{1, 2}}) },
		"forgotten, which were":  func(c *client) { c.say(request{Kind: kindInstrument, ID: 1, Forget: []uint64{9}}, nil) },
		"ends inside a frame":    func(c *client) { c.in.Write([]byte{9, 0, 0}); c.in.Close() },
		"a head of 4294967295":   func(c *client) { c.in.Write(bytes.Repeat([]byte{255}, prefix)) },
		"a body of 4294967295":   func(c *client) { c.in.Write([]byte{2, 0, 0, 0, 255, 255, 255, 255}) },
	} {
		t.Run(want, func(t *testing.T) {
			c := connect(t)
			go say(c)
			got, _ := c.hear()
			if got.Kind != kindError || got.ID != 0 || !strings.Contains(got.Text, want) {
				t.Errorf("%+v", got)
			}
			if err := <-c.ended; err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("it ended with %v", err)
			}
		})
	}
}

// An id is taken until its answer is sent, and then it is free. The first request
// is one that this test ends: any request of a client may be answered too soon.
func TestOneRequestAnID(t *testing.T) {
	var in bytes.Buffer
	ask := func() {
		must.Do(t, writeFrame(&in, request{Kind: kindSalt, ID: 1, Options: json.RawMessage(`{}`)}, nil))
	}
	s := &service{ctx: t.Context(), in: &in, out: io.Discard, inputs: received{}, atWork: map[uint64]context.CancelFunc{}}
	must.Get(s.begin(1))(t)
	ask()
	must.Fail(t, s.read(), "two requests with the id 1")
	s.fail(1, errCancelled)
	ask()
	if err := s.read(); err != nil {
		t.Error(err)
	}
}

func TestHello(t *testing.T) {
	for name, c := range map[string]struct{ say, want string }{
		"another version":  {`{"kind":"hello","protocol":1,"version":"9.8.7"}`, "the client is fieldprof 9.8.7 (protocol 1) and the program is fieldprof"},
		"another protocol": {`{"kind":"hello","protocol":7,"version":"0.0.1","more":[1]}`, "(protocol 7)"},
		"no hello":         {`{"kind":"salt","id":1}`, "not the hello of a client"},
		"no JSON":          {`hello`, "not the hello of a client"},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			go func() {
				s.in.Write([]byte{byte(len(c.say)), 0, 0, 0, 0, 0, 0, 0})
				s.in.Write([]byte(c.say))
			}()
			if got, _ := s.hear(); got.Kind != kindError || got.ID != 0 || !strings.Contains(got.Text, c.want) {
				t.Errorf("%+v", got)
			}
			if err := <-s.ended; err == nil || !strings.Contains(err.Error(), "install the same version of both") && !strings.Contains(err.Error(), "speaks with nobody else") {
				t.Errorf("it ended with %v", err)
			}
		})
	}
	t.Run("silence", func(t *testing.T) {
		if err := open(t).end(); err != nil {
			t.Errorf("it ended with %v", err)
		}
	})
}
