package answer

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// builtSite is a release of a site: minified, instrumented, with a map and a function table.
type builtSite struct {
	files []builddir.File
	table *functable.Table
}

// build makes a release of the ray tracer.
func build(t *testing.T) *builtSite {
	t.Helper()
	built := api.Build(api.BuildOptions{EntryPoints: []string{"../../fixtures/real/raytrace/main.ts"}, Bundle: true, Outfile: "app.js",
		MinifyIdentifiers: true, MinifySyntax: true, MinifyWhitespace: true, Sourcemap: api.SourceMapLinked, Format: api.FormatIIFE})
	must.Equal(t, len(built.Errors), 0, built.Errors)
	in := []builddir.File{{Path: "index.html", Data: []byte(`<!doctype html><script src="assets/app.js"></script>`)}}
	for _, f := range built.OutputFiles {
		in = append(in, builddir.File{Path: "assets/" + f.Path[strings.LastIndex(f.Path, "/")+1:], Data: f.Contents})
	}
	out, _, err := builddir.Files(context.Background(), in, builddir.Options{Selection: transform.Selection{Preset: transform.Precise}})
	must.Do(t, err)
	s := &builtSite{files: out}
	s.table = must.Get(functable.Decode(s.file(t, "assets/app.js.functions.json")))(t)
	return s
}

func (s *builtSite) file(t *testing.T, name string) []byte {
	t.Helper()
	i := slices.IndexFunc(s.files, func(f builddir.File) bool { return f.Path == name })
	if i < 0 {
		t.Fatalf("the build has no %s", name)
	}
	return s.files[i].Data
}

// frame is where a function of the sources begins in the deployed script, as an engine names it.
func (s *builtSite) frame(t *testing.T, b *profile.Builder, name string) profile.FrameID {
	t.Helper()
	for i := range s.table.Functions {
		f := &s.table.Functions[i]
		if f.Original != nil && f.Original.Name == name {
			function := profile.Function{Name: f.Name, File: script, Line: f.Definition.Line, Column: f.Definition.Column, Flags: profile.Checked}
			return b.Frame(b.Function(function), f.Definition.Line, f.Definition.Column)
		}
	}
	t.Fatalf("the function table has no %s", name)
	return -1
}

func (s *builtSite) upload(w *world, release string) {
	for _, f := range s.files {
		switch {
		case strings.HasSuffix(f.Path, ".map"):
			w.upload(release, f.Path, store.FileMap, string(f.Data))
		case strings.HasSuffix(f.Path, ".functions.json"):
			w.upload(release, f.Path, store.FileTable, string(f.Data))
		}
	}
}

func TestMinifiedSiteGetsItsNamesBack(t *testing.T) {
	s, w, ctx := build(t), newWorld(t), context.Background()
	var b profile.Builder
	b.Meta.Interval = 10 * time.Millisecond
	caller := b.Stack(profile.NoStack, s.frame(t, &b, "colour"))
	b.Add(profile.Sample{Stack: b.Stack(caller, s.frame(t, &b, "least"))}, 60)
	b.Add(profile.Sample{Stack: caller}, 30)
	w.chunk(record.Labels{"release": "1"}, noon, b.Profile())
	early := must.Get(w.Functions(ctx, day("shop"), ProfileOptions{}, 0))(t)
	for _, f := range early.Functions {
		if f.Name == "least" || f.File != script {
			t.Fatalf("%s in %s was not minified", f.Name, f.File)
		}
	}
	s.upload(w, "1")
	late := must.Get(w.Functions(ctx, day("shop"), ProfileOptions{}, 0))(t)
	must.Equal(t, len(late.Functions), 2)
	for i, want := range []FunctionRow{{SelfMs: 600, TotalMs: 600}, {SelfMs: 300, TotalMs: 900}} {
		f := late.Functions[i]
		must.Equal(t, []any{f.Name, f.SelfMs, f.TotalMs}, []any{[]string{"least", "colour"}[i], want.SelfMs, want.TotalMs})
		if !strings.HasSuffix(f.File, ".ts") || f.Line == 0 {
			t.Errorf("%s is in %s:%d", f.Name, f.File, f.Line)
		}
	}
	r := must.Get(w.Profile(ctx, day("shop"), ProfileOptions{}))(t)
	text, _ := r.Source(late.Functions[0].File)
	line := bytes.Split([]byte(text), []byte("\n"))[late.Functions[0].Line-1]
	if !bytes.Contains(line, []byte("least")) {
		t.Errorf("line %d of %s is %q", late.Functions[0].Line, late.Functions[0].File, line)
	}
	deployed := must.Get(w.Profile(ctx, day("shop"), ProfileOptions{Deployed: true}))(t)
	must.Equal(t, deployed.Profile.Function(0).File, script)
}
