package npm

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/internal/release"
	"github.com/fieldprof/fieldprof/test/npm/packages"
)

// The same sources give the same bytes.
func TestPackagesAreReproducible(t *testing.T) {
	if os.Getenv("FIELDPROF_FULL") == "" {
		t.Skip("SKIPPED: FIELDPROF_FULL is not set; make test-all builds the packages twice")
	}
	first, second := packages.Build(t), t.TempDir()
	must.Run(t, packages.Top(), "go", "run", "./npm/build", "-platforms", "host", "-out", second)
	tarballs, err := filepath.Glob(filepath.Join(first, "*.tgz"))
	if err != nil || len(tarballs) < 4 {
		t.Fatalf("%q, %v", tarballs, err)
	}
	for _, tarball := range tarballs {
		one := must.Get(os.ReadFile(tarball))(t)
		other, err := os.ReadFile(filepath.Join(second, filepath.Base(tarball)))
		if err != nil || !bytes.Equal(one, other) {
			t.Errorf("%s differs: %v", filepath.Base(tarball), err)
		}
	}
}

// Every package says where it comes from, under which licence, and runs nothing
// when it is installed; no path of the machine that built it is in it.
func TestPackagesAreComplete(t *testing.T) {
	tarballs := must.Get(filepath.Glob(filepath.Join(packages.Build(t), "*.tgz")))(t)
	top := must.Get(filepath.Abs(packages.Top()))(t)
	for _, tarball := range tarballs {
		t.Run(filepath.Base(tarball), func(t *testing.T) {
			files := must.Untar(t, must.Get(os.ReadFile(tarball))(t))
			checkManifest(t, files["package/package.json"])
			for _, name := range []string{"README.md", "LICENSE"} {
				if len(files["package/"+name]) < 200 {
					t.Errorf("no %s", name)
				}
			}
			for name, data := range files {
				if bytes.Contains(data, []byte(top)) {
					t.Errorf("%s names %s", name, top)
				}
			}
		})
	}
}

func checkManifest(t *testing.T, text []byte) {
	t.Helper()
	var manifest struct {
		Name, Version, License string
		Repository             struct{ Type, URL, Directory string }
		PublishConfig          struct {
			Access     string
			Provenance bool
		}
		Exports                                                       map[string]any
		Files                                                         []string
		SideEffects                                                   any
		Scripts, Dependencies, OptionalDependencies, PeerDependencies map[string]string
	}
	must.Do(t, json.Unmarshal(text, &manifest))
	if manifest.Version != release.Version || manifest.License != "MIT" || manifest.SideEffects == nil || len(manifest.Exports) == 0 || len(manifest.Files) == 0 {
		t.Errorf("%s", text)
	}
	if r := manifest.Repository; r.Type != "git" || !strings.Contains(r.URL, "github.com/fieldprof/fieldprof") || !must.Exists(filepath.Join(packages.Top(), r.Directory)) {
		t.Errorf("repository %+v", r)
	}
	if !manifest.PublishConfig.Provenance || manifest.PublishConfig.Access != "public" {
		t.Errorf("publishConfig %+v", manifest.PublishConfig)
	}
	if len(manifest.Scripts) > 0 {
		t.Errorf("scripts %v", manifest.Scripts)
	}
	for _, list := range []map[string]string{manifest.Dependencies, manifest.OptionalDependencies, manifest.PeerDependencies} {
		for name, version := range list {
			if ours := strings.HasPrefix(name, "@fieldprof/") || strings.HasPrefix(name, "fieldprof"); ours && version != release.Version {
				t.Errorf("%s wants %s %s", manifest.Name, name, version)
			}
		}
	}
}
