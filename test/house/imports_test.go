// Package house tests the house itself: which rooms may use which.
package house

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/fieldprof/fieldprof/"

// rooms lists, from the ground up, each room and the rooms it may import. A
// room covers the packages below it unless they are listed themselves.
var rooms = []struct {
	room    string
	imports []string
}{
	{"sourcemap", nil},
	{"functable", nil},
	{"runtime", nil},
	{"release", nil},
	{"pathglob", nil},
	{"profile", []string{"sourcemap", "functable"}},
	{"profile/format", []string{"release", "profile"}},
	{"profile/view", []string{"profile"}},
	{"profile/report", []string{"profile"}},
	{"profile/symbols", []string{"sourcemap", "functable", "pathglob", "profile"}},
	{"profile/budget", []string{"pathglob", "profile", "profile/view"}},
	{"transform/internal/order", nil},
	{"transform/internal/edit", []string{"transform/internal/order"}},
	{"transform/internal/htmlscan", nil},
	{"transform/internal/jsscan", nil},
	{"transform/internal/disk", nil},
	{"transform", []string{"sourcemap", "functable", "runtime", "transform/internal/order", "transform/internal/edit", "transform/internal/jsscan"}},
	{"transform/builddir", []string{"sourcemap", "functable", "runtime", "release", "pathglob", "transform", "transform/internal/htmlscan"}},
	{"transform/esbuildplugin", []string{"sourcemap", "functable", "runtime", "transform", "transform/builddir", "transform/internal/disk"}},
	{"transform/service", []string{"release", "transform", "transform/builddir", "transform/internal/disk"}},
	{"coordinator/cputime", nil},
	{"coordinator", []string{"profile", "coordinator/cputime"}},
	{"coordinator/gojahost", []string{"sourcemap", "functable", "runtime", "profile", "transform", "coordinator", "coordinator/cputime"}},
	{"engine", []string{"functable", "profile", "transform"}},
	{"engine/bundle", []string{"sourcemap"}},
	{"engine/deployed", []string{"sourcemap", "functable", "profile", "transform", "engine", "engine/bundle"}},
	{"engine/goja", []string{"profile", "transform", "coordinator", "coordinator/gojahost", "engine", "engine/bundle", "engine/deployed", "coordinator/cputime"}},
	{"engine/node", []string{"runtime", "profile", "transform", "engine", "engine/bundle", "engine/deployed"}},
	{"engine/browser", []string{"runtime", "profile", "transform", "engine", "engine/bundle", "engine/deployed"}},
	{"fixtures", nil},
	{"bench/figures", []string{"profile", "profile/view"}},
	{"bench/node", []string{"fixtures"}},
	{"bench/building", []string{"transform", "transform/esbuildplugin", "fixtures", "bench/figures", "bench/node", "coordinator/cputime"}},
	{"bench/recording", []string{"runtime", "profile", "profile/view", "transform", "coordinator", "coordinator/gojahost", "engine", "engine/goja", "fixtures", "bench/figures", "bench/node"}},
	{"bench/truth", []string{"functable", "profile", "profile/view", "profile/format", "transform", "coordinator", "engine", "engine/bundle", "engine/deployed", "engine/goja", "engine/node", "engine/browser", "fixtures", "bench/figures"}},
	{"bench/bias", []string{"profile", "transform", "engine", "engine/goja", "engine/node", "engine/browser", "fixtures", "bench/figures", "bench/truth"}},
	{"bench/pages", []string{"profile", "profile/report", "engine/browser", "bench/figures"}},
	{"bench", []string{"fixtures", "bench/figures", "bench/building", "bench/recording", "bench/truth", "bench/bias", "bench/pages"}},
	{"cmd/instrument", []string{"release", "pathglob", "profile", "profile/view", "profile/report", "profile/symbols", "profile/budget", "profile/format", "transform", "transform/builddir", "transform/service", "engine", "engine/goja", "engine/node", "engine/browser"}},
	{"npm/build", []string{"release"}},
	{"npm/wasm", []string{"transform/service"}},
	{"test", nil},
	{"test/engines", []string{"profile", "transform", "engine", "engine/bundle", "engine/goja", "engine/node", "engine/browser", "fixtures", "bench/truth"}},
	{"test/test262", []string{"transform", "runtime", "fixtures"}},
	{"test/libraries", []string{"transform", "fixtures"}},
	{"test/stacks", []string{"sourcemap", "functable", "transform", "fixtures"}},
	{"test/browser", []string{"fixtures"}},
	{"test/npm", []string{"release", "transform", "transform/builddir", "profile/view", "profile/format", "fixtures", "test/browser"}},
	{"test/viewers", []string{"profile", "profile/view", "profile/format", "fixtures"}},
	{"test/report", []string{"profile", "profile/report", "profile/view", "bench/pages", "test/browser"}},
	{"test/wpt", []string{"functable", "runtime", "transform", "transform/builddir", "test/browser"}},
}

// heavy dependencies stay at the edges: only these rooms may import them.
var heavy = map[string][]string{
	"github.com/evanw/esbuild":      {"runtime/build", "profile/report/build", "npm/build", "engine/bundle", "transform/esbuildplugin", "bench/building"},
	"github.com/dop251/goja_nodejs": {"engine/goja", "fixtures/clocks"},
	"github.com/dop251/goja":        {"coordinator/gojahost", "engine/goja", "bench/recording", "bench/truth", "fixtures/clocks"},
	"github.com/tdewolff/parse":     {"transform/internal/jsscan", "transform/builddir", "bench/building"},
	"github.com/google/pprof":       {"profile/format"},
	"github.com/go-json-experiment": {"profile/format"},
	"go.opentelemetry.io":           {"profile/format/otlp"},
	"github.com/andybalholm/brotli": {"bench/building", "transform/builddir"},
	"github.com/spf13":              {"bench", "cmd/instrument"},
	"go.yaml.in/yaml":               {"profile/budget"},
}

// roomOf finds the most specific room a package stands in.
func roomOf(pkg string) string {
	best := ""
	for _, r := range rooms {
		if (pkg == r.room || strings.HasPrefix(pkg, r.room+"/")) && len(r.room) > len(best) {
			best = r.room
		}
	}
	return best
}

func TestImportsPointOneWay(t *testing.T) {
	for _, line := range list(t, `{{.ImportPath}} {{join .Imports " "}}`) {
		words := strings.Fields(line)
		pkg := strings.TrimPrefix(words[0], module)
		room := roomOf(pkg)
		if room == "" {
			t.Errorf("%s stands in no room: list it in rooms, in its place", pkg)
			continue
		}
		allowed := rooms[slices.IndexFunc(rooms, func(r struct {
			room    string
			imports []string
		}) bool {
			return r.room == room
		})].imports
		for _, imported := range words[1:] {
			if inner, ours := strings.CutPrefix(imported, module); ours {
				if to := roomOf(inner); to != room && !slices.Contains(allowed, to) {
					t.Errorf("%s imports %s: %s may use %v", pkg, inner, room, allowed)
				}
				continue
			}
			checkHeavy(t, pkg, imported)
		}
	}
}

func checkHeavy(t *testing.T, pkg, imported string) {
	t.Helper()
	longest := ""
	for dependency := range heavy {
		if (imported == dependency || strings.HasPrefix(imported, dependency+"/")) && len(dependency) > len(longest) {
			longest = dependency
		}
	}
	if longest == "" {
		return
	}
	for _, room := range heavy[longest] {
		if pkg == room || strings.HasPrefix(pkg, room+"/") {
			return
		}
	}
	t.Errorf("%s imports %s, which only %v may", pkg, imported, heavy[longest])
}

// The arrows must only ever point down the list.
func TestRoomsAreListedFromTheGroundUp(t *testing.T) {
	place := map[string]int{}
	for i, r := range rooms {
		place[r.room] = i
	}
	for i, r := range rooms {
		for _, to := range r.imports {
			if j, ok := place[to]; !ok || j >= i {
				t.Errorf("%s may import %s, which does not stand below it", r.room, to)
			}
		}
	}
}

// What fieldprof-wasm holds is for it to carry: nothing that only the command line
// needs.
func TestWebAssemblyIsSmall(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", "./npm/wasm")
	cmd.Dir = "../.."
	cmd.Env = append(cmd.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, out)
	}
	deps := strings.Fields(string(out))
	if !slices.Contains(deps, module+"transform/service") {
		t.Errorf("it holds no service: %s", out)
	}
	for _, dep := range deps {
		for _, unwanted := range []string{"github.com/evanw/esbuild", "github.com/dop251/goja", "github.com/spf13/cobra", module + "bench", module + "engine", module + "coordinator"} {
			if strings.HasPrefix(dep, unwanted) {
				t.Errorf("it holds %s", dep)
			}
		}
	}
}

// transform and profile run in browsers too.
func TestTransformAndProfileBuildForWebAssembly(t *testing.T) {
	cmd := exec.Command("go", "build", "-o", "/dev/null", "./transform/...", "./profile/...", "./sourcemap", "./functable")
	cmd.Dir = "../.."
	cmd.Env = append(cmd.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func list(t *testing.T, format string) []string {
	t.Helper()
	cmd := exec.Command("go", "list", "-f", format, "./...")
	cmd.Dir = "../.."
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, out)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}
