package builddir

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// files are the site's, in no order.
func (s site) files() []File {
	var files []File
	for p, text := range s {
		files = append(files, File{p, []byte(text)})
	}
	return files
}

// inMemory instruments the site as Files. That is what site.instrument compares
// with the directory, so that every tree of these tests is held to it.
func (s site) inMemory(t testing.TB, options Options) (site, *Report) {
	t.Helper()
	in := s.files()
	files, report, err := Files(context.Background(), in, options)
	must.Do(t, err)
	out := site{}
	for _, f := range files {
		out[f.Path] = string(f.Data)
	}
	if len(out) != len(files) || !slices.IsSortedFunc(files, func(x, y File) int { return cmp.Compare(x.Path, y.Path) }) {
		t.Error("the files are not each there once, in order of path")
	}
	for _, f := range in {
		if string(f.Data) != s[f.Path] {
			t.Errorf("%s of the input changed", f.Path)
		}
	}
	return out, report
}

// A folder's name counts without what is in it: "a" is before "a.js", though
// "a/b.js" is after it.
func TestFilesFollowFoldersAsDirectoriesAreWalked(t *testing.T) {
	in := site{"index.html": "<script src=a.js></script>"}
	for _, p := range []string{"a.js", "a/b.js", "a-b.js", "a/b/c.js", "a/b-c.js"} {
		in[p] = loop("f") + "//# sourceMappingURL=/shared.map\n"
	}
	in["shared.map"] = `{"version":3,"sources":["s.ts"],"names":[],"mappings":"AAAA"}`
	out, _ := in.instrument(t, Options{}) // the first has the map, the others one of their own
	if _, own := out["a/b/c.js.map"]; own {
		t.Error("a/b/c.js is not the first that claims the map")
	}
}

func TestFilesRefuseWhatNoDirectoryCouldHold(t *testing.T) {
	for want, files := range map[string][]File{
		`"/a.js" is not the path`:                      {{Path: "/a.js"}},
		`"../a.js" is not the path`:                    {{Path: "../a.js"}},
		`"a//b.js" is not the path`:                    {{Path: "a//b.js"}},
		`"" is not the path`:                           {{Path: ""}},
		`"." is not the path`:                          {{Path: "."}},
		`"a\x00.js" is not the path`:                   {{Path: "a\x00.js"}},
		"a.js occurs twice":                            {{Path: "a.js"}, {Path: "a.js"}},
		"a.js is a file and the folder of a.js/b/c.js": {{Path: "a.js/b/c.js"}, {Path: "a.js"}},
		"the tree is instrumented already":             {{Path: "fieldprof/manifest.json"}},
		"rename yours":                                 {{Path: "fieldprof"}},
	} {
		if _, _, err := Files(context.Background(), files, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", files, err, want)
		}
	}
}

func TestFilesTakeNoDirectories(t *testing.T) {
	for _, options := range []Options{{Input: "dist"}, {Output: "out"}, {InPlace: true}} {
		if _, _, err := Files(context.Background(), nil, options); err == nil || !strings.Contains(err.Error(), "leave Input, Output and InPlace empty") {
			t.Errorf("%+v: %v", options, err)
		}
	}
}

func TestFilesInADryRun(t *testing.T) {
	files, report, err := Files(context.Background(), site{"a.js": loop("a")}.files(), Options{DryRun: true})
	if err != nil || len(files) != 0 || report.Instrumented != 1 {
		t.Errorf("%v, %+v, %v", files, report, err)
	}
}

func TestFilesEndWithTheirContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if files, _, err := Files(ctx, site{"a.js": loop("a")}.files(), Options{}); err == nil || files != nil {
		t.Errorf("%v, %v", files, err)
	}
}

// An empty tree becomes the runtime, as an empty directory does.
func TestNoFiles(t *testing.T) {
	out, _ := site{}.inMemory(t, Options{})
	for p := range maps.Keys(out) {
		if !strings.HasPrefix(p, Folder+"/") {
			t.Errorf("%s came from nowhere", p)
		}
	}
}
