// Package house tests the plan of the house: which rooms may import which.
package house

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

const module = "github.com/fieldprof/fieldprof/"

func TestImportsPointOneWay(t *testing.T) {
	rooms := must.Get(readPlan(plan))(t)
	for _, fault := range faults(rooms, packages(t)) {
		t.Error(fault)
	}
}

// pkg is a package with its imports, and its tests' imports.
type pkg struct {
	path           string
	imports, tests []string
}

// packages lists the packages of the module. The one for WebAssembly is listed as its build
// sees it.
func packages(t *testing.T) []pkg {
	t.Helper()
	const format = `{{.ImportPath}}|{{join .Imports " "}}|{{join .TestImports " "}} {{join .XTestImports " "}}`
	lines := goList(t, nil, "-f", format, "./...")
	lines = append(lines, goList(t, []string{"GOOS=js", "GOARCH=wasm"}, "-f", format, "./npm/wasm")...)
	var list []pkg
	for _, line := range lines {
		words := strings.SplitN(line, "|", 3)
		list = append(list, pkg{strings.TrimPrefix(words[0], module), strings.Fields(words[1]), strings.Fields(words[2])})
	}
	return list
}

// faults lists every import that the plan does not allow, and every allowance that no
// package uses.
func faults(rooms []room, packages []pkg) []string {
	var list []string
	used := map[string]bool{} // FOLDER imports|tests PATH
	for _, p := range packages {
		r := roomOf(rooms, p.path)
		if r == nil {
			list = append(list, p.path+" belongs to no room: give it a place in the plan")
			continue
		}
		for _, imported := range p.imports {
			if fault := check(rooms, r, p.path, imported, false, used); fault != "" {
				list = append(list, fault)
			}
		}
		for _, imported := range p.tests {
			if fault := check(rooms, r, p.path, imported, true, used); fault != "" {
				list = append(list, fault)
			}
		}
	}
	unused := func(folder, kind, to string) {
		if !used[folder+" "+kind+" "+to] {
			list = append(list, folder+": "+kind+" allow "+to+", which nothing there uses: remove it from the plan")
		}
	}
	for _, r := range rooms {
		for _, to := range r.imports {
			unused(r.name, "imports", to)
		}
		for _, to := range r.tests {
			unused(r.name, "tests", to)
		}
	}
	return append(list, unusedHeavy(packages)...)
}

// check says what is wrong with an import, and notes which allowance it uses.
func check(rooms []room, from *room, path, imported string, test bool, used map[string]bool) string {
	inner, ours := strings.CutPrefix(imported, module)
	if !ours {
		return checkHeavy(path, imported, test)
	}
	to := roomOf(rooms, inner)
	switch {
	case to == nil:
		return path + " imports " + inner + ", which belongs to no room"
	case to.name == from.name, test && slices.Contains(testRooms, to.name):
	case slices.Contains(from.imports, to.name):
		if !test {
			used[from.name+" imports "+to.name] = true
		}
	case test && slices.Contains(from.tests, to.name):
		used[from.name+" tests "+to.name] = true
	case test:
		return path + " imports " + inner + " in a test: tests of " + from.name + " may import " + strings.Join(append(slices.Clone(from.imports), from.tests...), ", ")
	default:
		return path + " imports " + inner + ": " + from.name + " may import " + strings.Join(from.imports, ", ")
	}
	return ""
}

func checkHeavy(path, imported string, test bool) string {
	d := heavyOf(imported)
	if d == nil || slices.ContainsFunc(d.imports, func(folder string) bool { return within(path, folder) }) ||
		test && slices.ContainsFunc(d.tests, func(folder string) bool { return within(path, folder) }) {
		return ""
	}
	if test {
		return path + " imports " + imported + " in a test, which only those of " + strings.Join(append(slices.Clone(d.imports), d.tests...), ", ") + " may"
	}
	return path + " imports " + imported + ", which only " + strings.Join(d.imports, ", ") + " may"
}

// unusedHeavy lists folders that may import a heavy dependency and do not.
func unusedHeavy(packages []pkg) []string {
	var list []string
	for _, d := range heavy {
		imports := func(paths []string) bool {
			return slices.ContainsFunc(paths, func(path string) bool { found := heavyOf(path); return found != nil && found.path == d.path })
		}
		for _, folder := range d.imports {
			if !slices.ContainsFunc(packages, func(p pkg) bool { return within(p.path, folder) && imports(p.imports) }) {
				list = append(list, folder+" may import "+d.path+" and does not: remove it from the list")
			}
		}
		for _, folder := range d.tests {
			if !slices.ContainsFunc(packages, func(p pkg) bool { return within(p.path, folder) && imports(p.tests) }) {
				list = append(list, "tests of "+folder+" may import "+d.path+" and do not: remove it from the list")
			}
		}
	}
	return list
}

// The arrows only ever point down the plan.
func TestRoomsAreListedFromTheGroundUp(t *testing.T) {
	rooms := must.Get(readPlan(plan))(t)
	below := map[string]bool{}
	for _, r := range rooms {
		for _, to := range r.imports {
			if !below[to] {
				t.Errorf("%s may import %s, which is not below it", r.name, to)
			}
		}
		below[r.name] = true
	}
}

// A wrong import, in a package or its test, and an allowance that nothing uses are found.
func TestFaultsAreFound(t *testing.T) {
	rooms := must.Get(readPlan("ground\nwall: ground\nroof: ground wall | ground/cellar\nground/cellar:"))(t)
	got := strings.Join(faults(rooms, []pkg{
		{"ground", []string{module + "wall"}, nil},
		{"wall/door", []string{module + "ground"}, []string{module + "roof"}},
		{"roof", []string{module + "wall"}, []string{module + "ground", "github.com/spf13/cobra"}},
		{"shed", nil, nil},
	}), "\n")
	for _, want := range []string{
		"ground imports wall: ground may import",
		"wall/door imports roof in a test",
		"roof imports github.com/spf13/cobra in a test",
		"shed belongs to no room",
		"roof: imports allow ground, which nothing there uses",
		"roof: tests allow ground/cellar, which nothing there uses",
		"cmd/instrument may import github.com/spf13 and does not",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not among the faults:\n%s", want, got)
		}
	}
	if unwanted := "wall: imports allow ground"; strings.Contains(got, unwanted) {
		t.Errorf("%q is among the faults:\n%s", unwanted, got)
	}
}

// fieldprof-wasm is downloaded by users: it contains nothing that only the command line
// needs.
func TestWebAssemblyIsSmall(t *testing.T) {
	deps := goList(t, []string{"GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0"}, "-deps", "./npm/wasm")
	if !slices.Contains(deps, module+"transform/service") {
		t.Errorf("it does not contain the service: %s", deps)
	}
	for _, dep := range deps {
		for _, unwanted := range []string{"github.com/evanw/esbuild", "github.com/dop251/goja", "github.com/spf13/cobra", module + "bench", module + "engine", module + "coordinator"} {
			if strings.HasPrefix(dep, unwanted) {
				t.Errorf("it contains %s", dep)
			}
		}
	}
}

// transform and profile run in browsers, too.
func TestTransformAndProfileBuildForWebAssembly(t *testing.T) {
	cmd := exec.Command("go", "build", "-o", os.DevNull, "./transform/...", "./profile/...", "./sourcemap", "./functable")
	cmd.Dir = "../.."
	cmd.Env = append(cmd.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// goList runs go list in the module's root and returns its lines.
func goList(t *testing.T, env []string, args ...string) []string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	cmd.Dir = "../.."
	cmd.Env = append(cmd.Environ(), env...)
	var trouble strings.Builder // and notes of downloads
	cmd.Stderr = &trouble
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, trouble.String())
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}
