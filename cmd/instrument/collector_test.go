package main

import (
	"bytes"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/collect/answer"
	"github.com/fieldprof/fieldprof/collect/api"
	"github.com/fieldprof/fieldprof/collect/config"
	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store/memory"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format"
	slow "github.com/fieldprof/fieldprof/profile/slices"
)

const collectorToken = "token-of-the-tests-0123456789"

// startCollector starts a collector with sessions of two releases, and names it in the environment.
func startCollector(t *testing.T) *memory.Store {
	t.Helper()
	kept, now := memory.New(), time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	var chunks []*record.Chunk
	for i := range 40 {
		release, n := "1.1", int64(20)
		if i%2 == 1 {
			release, n = "1.2", 200
		}
		var b profile.Builder
		outer := b.Stack(profile.NoStack, b.Frame(b.Function(profile.Function{Name: "main", File: "https://shop.example/app.js", Line: 1, Column: 1, Flags: profile.Checked}), 1, 1))
		for name, ticks := range map[string]int64{"draw": 200, "pr\x1b[31mice": n} {
			inner := b.Stack(outer, b.Frame(b.Function(profile.Function{Name: name, File: "https://shop.example/app.js", Line: 9, Column: 1, Flags: profile.Checked}), 9, 1))
			b.Add(profile.Sample{Stack: inner, Kind: profile.Loop}, ticks)
		}
		p := b.Profile()
		id, at := record.IDOf("chunk", fmt.Sprint(i)), now.Add(-time.Duration(i+1)*30*time.Minute)
		p.Meta.Program, p.Meta.Interval, p.Meta.Start = "https://shop.example", 10*time.Millisecond, at
		series := record.Series{App: "shop", Rate: 0.1, Interval: p.Meta.Interval, Labels: record.Labels{record.Release: release, record.Route: "/cart"}}
		mark := profile.Mark{What: profile.Interaction, Name: "click", Target: "button#buy", Duration: time.Duration(300+i) * time.Millisecond, Processing: 200 * time.Millisecond}
		p.Marks = []profile.Mark{mark}
		slow := series
		slow.Slow = true
		chunks = append(chunks, &record.Chunk{ID: id, Series: series, Source: "fieldprof", At: at, Observed: time.Minute, View: id, Profile: record.Sum(p), Example: record.EncodeProfile(p),
			Counts: &record.Counts{Interactions: 9, INP: mark.Duration, LongTasks: 3},
			Slices: []record.Slice{{ID: record.IDOf("slice", fmt.Sprint(i)), Series: slow, At: at, View: id, Mark: mark, Trace: record.EncodeProfile(p)}}})
	}
	must.Get(kept.Write(t.Context(), record.IDOf("batch"), chunks))(t)
	server := httptest.NewServer(api.New(api.Options{Answers: answer.New(kept, answer.Options{}), Store: kept, Now: func() time.Time { return now },
		Budgets: func(string) []answer.BudgetRow {
			return []answer.BudgetRow{{Name: "price", Measure: "self", Unit: "%", Max: 25, Value: 31, Margin: 1, Broken: true, Since: now, Checked: now}}
		},
		Config: &config.Config{Apps: []config.App{{Name: "shop"}}, Tokens: []config.Token{{Text: collectorToken, Read: true, Upload: true}}}}))
	t.Cleanup(server.Close)
	t.Setenv(urlVariable, server.URL)
	t.Setenv(tokenVariable, collectorToken)
	return kept
}

// instrument runs a command line.
func instrument(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, told bytes.Buffer
	code = execute(t.Context(), args, &out, &told)
	return code, out.String(), told.String()
}

func TestQueries(t *testing.T) {
	startCollector(t)
	slice := record.IDOf("slice", "39").String()
	example := record.IDOf("chunk", "3").String()
	for line, parts := range map[string][]string{
		"query": {"INP p75 ms", "/cart  1.1", "/cart  1.2", "2026-11-22 12:00Z to 2026-11-23 12:00Z"},
		"query overview --by release --where release:1.2 --from now-2d": {"1.2"},
		"query functions --where release:1.2":                           {"self time", "draw", `pr\x1b[31mice`, "app.js:9", "estimated from"},
		"query functions --top 1":                                       {"draw", "64.5%"},
		"query slices --what interaction":                               {"p75 ms", "interaction click button#buy", record.IDOf("slice", "39").String()[:8]},
		"query slices --what mark":                                      {"there is nothing to show"},
		"query slice " + slice:                                          {"interaction click button#buy", "self ms"},
		"query diff --before release:1.1 --after release:1.2":           {"*+", "before: release 1.1; after: release 1.2", `pr\x1b[31mice`},
		"query diff --before release:1.1 --after release:1.2 --top 1":   {"draw", `pr\x1b[31mice`, "2 of 3 functions changed"},
		"query trend --name draw --step 6h":                             {"release 1.1", "64.5%"},
		"query trend --name draw --top 2":                               {"2026-11-23 10:00Z", "2026-11-23 11:00Z", "… and 22 earlier"},
		"query examples --top 3":                                        {"busy", "/cart"},
		"query values":                                                  {"release  1.1", "route    /cart"},
		"query budgets":                                                 {"BROKEN", "31.0%", "± 1.0"},
		"query files":                                                   {"no files have been uploaded"},
		"query apps":                                                    {"shop"},
		"query functions --json":                                        {"{\n  \"busyMs\""},
		"query functions --from now-60d --to now-59d":                   {"there is nothing to show"},
	} {
		code, stdout, stderr := instrument(t, strings.Fields(line)...)
		if code != 0 || stderr != "" || strings.Contains(stdout, "\x1b") {
			t.Errorf("%s: %d\n%s%s", line, code, stdout, stderr)
		}
		must.Contain(t, line, stdout, parts...)
		t.Logf("%s\n%s", line, stdout)
	}
	folder := t.TempDir()
	for _, line := range []string{"query profile -o all.cpuprofile", "query profile --deployed -o all.pb.gz", "query profile -o all.speedscope.json.gz", "query slice " + slice + " -o slice.pprof", "query example " + example + " -o example.firefox.json"} {
		words := strings.Fields(line)
		path := filepath.Join(folder, words[len(words)-1])
		words[len(words)-1] = path
		if code, stdout, stderr := instrument(t, words...); code != 0 || stdout+stderr != "" {
			t.Errorf("%s: %d\n%s%s", line, code, stdout, stderr)
			continue
		}
		if p, err := format.ReadFile(path); err != nil || p.Len() == 0 {
			t.Errorf("%s: %v", line, err)
		}
	}
	for _, line := range []string{"query profile -o all.html", "query diff --before release:1.1 --after release:1.2 -o diff.html"} {
		words := strings.Fields(line)
		path := filepath.Join(folder, words[len(words)-1])
		words[len(words)-1] = path
		if code, _, stderr := instrument(t, words...); code != 0 {
			t.Errorf("%s: %s", line, stderr)
			continue
		}
		must.Contain(t, line, string(must.Get(os.ReadFile(path))(t)), "<!doctype html>")
	}
}

// Slow marks have one name in all commands.
func TestMarksAreNotMeasures(t *testing.T) {
	must.Equal(t, subject("measure", "checkout", ""), "mark checkout")
	must.Equal(t, printableSubject(slow.Subject{What: profile.Measure, Name: "checkout"}), "mark checkout")
	for _, kind := range []string{"mark", "measure"} {
		must.Equal(t, markOf(kind), profile.Measure)
	}
}

// Wrong command lines exit with 2 and refusals of the collector with 1, and neither leaves a file.
func TestQueriesThatAreWrong(t *testing.T) {
	startCollector(t)
	folder := t.TempDir()
	for _, x := range []struct {
		line string
		code int
		says string
	}{
		{"query everything", 2, "ask for one of overview, functions"},
		{"query overview more", 2, "takes no argument"},
		{"query slice", 2, "name one ID"},
		{"query slice xyz", 2, "32 hexadecimal digits"},
		{"query slice 00000000000000000000000000000000", 1, "does not exist"},
		{"query example 00000000000000000000000000000000", 2, "name a file"},
		{"query example 00000000000000000000000000000000 -o x.cpuprofile", 1, "does not exist"},
		{"query profile", 2, "name a file"},
		{"query profile -o x.doc", 2, "no profile format has this extension"},
		{"query profile -o none/x.pb.gz", 1, "cannot write"},
		{"query functions -o x.cpuprofile", 2, "functions is a table"},
		{"query diff --before release:1 -o x.cpuprofile", 2, "saved as a report"},
		{"query diff --before release:0 --after release:1.2", 1, "nothing ran"},
		{"query diff --before release:0 --after release:1.2 -o x.html", 1, "nothing ran"},
		{"query profile -o x.html --json", 2, "choose one"},
		{"query --top -1", 2, "must not be negative"},
		{"query --from yesterday", 2, "from: a moment such as"},
		{"query --step 1h", 2, `"step": unknown parameter`},
		{"query --where cart", 2, "where: LABEL:VALUE"},
		{"query --app news", 1, "does not admit"},
		{"query --token-file none", 2, "--token-file"},
		{"query --url shop", 2, "no address of a collector"},
		{"query --url http://127.0.0.1:1", 1, "cannot be reached"},
	} {
		words := strings.Fields(x.line)
		for i, word := range words {
			if i > 0 && words[i-1] == "-o" {
				words[i] = filepath.Join(folder, word)
			}
		}
		code, stdout, stderr := instrument(t, words...)
		if code != x.code || stdout != "" || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: %d, want %d\n%s%s", x.line, code, x.code, stdout, stderr)
		}
		must.Contain(t, x.line, stderr, x.says)
	}
	if left := must.Get(os.ReadDir(folder))(t); len(left) != 0 {
		t.Errorf("files are left: %v", left)
	}
	t.Setenv(tokenVariable, "")
	if code, _, stderr := instrument(t, "query"); code != 2 || !strings.Contains(stderr, "a token is missing") {
		t.Errorf("%d %s", code, stderr)
	}
}

func TestUploads(t *testing.T) {
	kept := startCollector(t)
	folder := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("app.js.map", `{"version":3,"sources":["a.js"],"names":[],"mappings":"AAAA"}`)
	write("token", collectorToken+"\n")
	if code, stdout, stderr := instrument(t, "upload", "--release", "1.2", "--dry-run", "--token-file", "none", folder); code != 0 || !strings.Contains(stdout, "app.js.map") {
		t.Errorf("%d %s%s", code, stdout, stderr)
	}
	if files := must.Get(kept.Files(t.Context(), "shop", ""))(t); len(files) != 0 {
		t.Errorf("a dry run has sent %v", files)
	}
	t.Setenv(tokenVariable, "wrong")
	for _, want := range []string{"release 1.2: 1 sent (0.0 MB), 0 there already\n", "release 1.2: 0 sent (0.0 MB), 1 there already\n"} {
		if code, stdout, stderr := instrument(t, "upload", "--release", "1.2", "--token-file", filepath.Join(folder, "token"), folder); code != 0 || stdout != want || stderr != "" {
			t.Errorf("%d %s%s", code, stdout, stderr)
		}
	}
	write("bad.js.map", "{")
	code, stdout, stderr := instrument(t, "upload", "--release", "1.2", "--json", "--token-file", filepath.Join(folder, "token"), folder)
	must.Contain(t, "the summary", stdout, `"outcome": "same"`, `"outcome": "failed"`)
	must.Contain(t, "the warning", stderr, "bad.js.map", "neither a source map", "1 of 2 files were not uploaded")
	if code != 1 {
		t.Errorf("exit code %d", code)
	}
	for _, x := range []struct {
		line string
		code int
		says string
	}{
		{"upload", 2, "name one built directory"},
		{"upload --release 1.2 a b", 2, "name one built directory"},
		{"upload " + folder, 2, "name the release"},
		{"upload --release 1.2 " + t.TempDir(), 1, "no source maps"},
		{"upload --release 1.2 " + folder, 1, "the token is wrong"},
	} {
		code, stdout, stderr := instrument(t, strings.Fields(x.line)...)
		if code != x.code || stdout != "" {
			t.Errorf("%s: %d, want %d\n%s%s", x.line, code, x.code, stdout, stderr)
		}
		must.Contain(t, x.line, stderr, x.says)
	}
}
