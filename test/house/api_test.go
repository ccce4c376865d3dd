package house

import (
	"bytes"
	"flag"
	"go/ast"
	"go/build"
	"go/doc"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

var update = flag.Bool("update", false, "write the golden files of the public surface")

// stable are the packages that docs/stability.md promises to keep. gojahost/sobekhost is
// not among them because it is gojahost, generated: it has the same surface.
var stable = []string{
	"coordinator", "functable", "gojahost", "gojahost/accounts", "gojahost/jsprofile", "gojahost/mozilla", "profile", "profile/budget", "profile/format",
	"profile/format/pprof", "profile/report", "profile/slices", "profile/symbols", "profile/view", "runtime", "sourcemap", "transform", "transform/builddir", "transform/esbuildplugin", "transform/training",
}

// A change of the public surface shows in a diff of its golden file, and is meant.
func TestPublicSurface(t *testing.T) {
	root := must.Get(filepath.Abs("../.."))(t)
	for _, room := range stable {
		got := surface(t, filepath.Join(root, filepath.FromSlash(room)))
		file := filepath.Join("testdata", "api", strings.ReplaceAll(room, "/", "_")+".txt")
		if *update {
			must.WriteFile(t, file, got)
		}
		if want := string(must.Get(os.ReadFile(file))(t)); got != want {
			t.Errorf("%s has another surface than %s says: if that is meant, go test ./test/house -run PublicSurface -update, and tell CHANGELOG.md", room, file)
		}
	}
	twin := surface(t, filepath.Join(root, "gojahost", "sobekhost"))
	twin = strings.NewReplacer("sobek.", "goja.", "sobekhost", "gojahost").Replace(twin)
	if twin != surface(t, filepath.Join(root, "gojahost")) {
		t.Error("gojahost/sobekhost has another surface than gojahost")
	}
}

// The page that names them for users has each, and no other.
func TestStablePackagesAreDocumented(t *testing.T) {
	page := string(must.Get(os.ReadFile("../../docs/stability.md"))(t))
	var listed []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z/]+)` \\|").FindAllStringSubmatch(page, -1) {
		listed = append(listed, m[1])
	}
	want := append(slices.Clone(stable), "gojahost/sobekhost")
	slices.Sort(want)
	slices.Sort(listed)
	must.Equal(t, listed, want, "the packages of docs/stability.md")
}

// surface is what a package exports, declaration by declaration without comments, in
// the order of go doc.
func surface(t *testing.T, folder string) string {
	t.Helper()
	platform := build.Default
	platform.GOOS, platform.GOARCH = "linux", "amd64"
	files := token.NewFileSet()
	var parsed []*ast.File
	for _, path := range must.Get(filepath.Glob(filepath.Join(folder, "*.go")))(t) {
		if fits := must.Get(platform.MatchFile(filepath.Split(path)))(t); !fits || strings.HasSuffix(path, "_test.go") {
			continue
		}
		parsed = append(parsed, must.Get(parser.ParseFile(files, path, nil, parser.SkipObjectResolution))(t))
	}
	p := must.Get(doc.NewFromFiles(files, parsed, folder))(t)
	var out bytes.Buffer
	show := func(node ast.Node) {
		must.Do(t, printer.Fprint(&out, files, node))
		out.WriteString("\n")
	}
	declared := func(values []*doc.Value, functions []*doc.Func) {
		for _, v := range values {
			show(v.Decl)
		}
		for _, f := range functions {
			f.Decl.Body = nil
			show(f.Decl)
		}
	}
	out.WriteString("package " + p.Name + "\n\n")
	declared(slices.Concat(p.Consts, p.Vars), p.Funcs)
	for _, ty := range p.Types {
		show(ty.Decl)
		declared(slices.Concat(ty.Consts, ty.Vars), slices.Concat(ty.Funcs, ty.Methods))
	}
	return out.String()
}
