package truth

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// goja's profiler is used by the layout of its unexported types. If this fails
// after goja was updated, look at goja's profiler.go and vm.go, and make the types
// in goja.go again.
func TestGojaHasTheLayoutWeUse(t *testing.T) {
	cmd := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/dop251/goja")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	folder := strings.TrimSpace(string(out))
	// Our names of goja's types, where they differ.
	same := strings.NewReplacer(
		"[profMaxStackDepth]StackFrame", "[64]goja.StackFrame", "*profBuffer", "unsafe.Pointer", "*Program", "unsafe.Pointer", "unistring.String", "string",
		"*truth.profTracker", "*profTracker", "truth.profiler", "profiler")
	for _, c := range []struct {
		file, name string
		ours       any
	}{
		{"profiler.go", "_globalProfiler", globalProfiler{}},
		{"profiler.go", "profiler", profiler{}},
		{"profiler.go", "profTracker", profTracker{}},
		{"runtime.go", "StackFrame", stackFrame{}},
	} {
		theirs := fieldsIn(t, filepath.Join(folder, c.file), c.name)
		var ours []string
		typ := reflect.TypeOf(c.ours)
		for i := range typ.NumField() {
			f := typ.Field(i)
			if f.Name == "_" && i < len(theirs) { // not used here
				f.Name, _, _ = strings.Cut(theirs[i], " ")
			}
			ours = append(ours, f.Name+" "+f.Type.String())
		}
		a, b := same.Replace(strings.Join(theirs, "; ")), same.Replace(strings.Join(ours, "; "))
		if a != b {
			t.Errorf("goja's %s is\n\t%s\nand ours is\n\t%s", c.name, a, b)
		}
	}
	for name, value := range map[string]int32{"profReqDoSample": doSample, "profReqSampleReady": sampleReady, "profReqStop": stopSamples} {
		if got := constantIn(t, filepath.Join(folder, "profiler.go"), name); got != value {
			t.Errorf("goja's %s is %d, ours %d", name, got, value)
		}
	}
}

func parse(t *testing.T, path string) (*token.FileSet, *ast.File) {
	t.Helper()
	set := token.NewFileSet()
	file := must.Get(parser.ParseFile(set, path, nil, 0))(t)
	return set, file
}

// fieldsIn lists the fields of a struct in a source file, "name type" each.
func fieldsIn(t *testing.T, path, name string) (fields []string) {
	t.Helper()
	set, file := parse(t, path)
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok || spec.Name.Name != name {
			return true
		}
		list, ok := spec.Type.(*ast.StructType)
		if !ok {
			t.Fatalf("goja's %s is no struct any more", name)
		}
		for _, f := range list.Fields.List {
			var typ bytes.Buffer
			must.Do(t, format.Node(&typ, set, f.Type))
			for _, id := range f.Names {
				fields = append(fields, id.Name+" "+typ.String())
			}
		}
		return false
	})
	if fields == nil {
		t.Fatalf("goja has no %s in %s any more", name, filepath.Base(path))
	}
	return fields
}

// constantIn is a constant's place in its block, which counts from 0.
func constantIn(t *testing.T, path, name string) int32 {
	t.Helper()
	_, file := parse(t, path)
	for _, d := range file.Decls {
		block, ok := d.(*ast.GenDecl)
		if !ok || block.Tok != token.CONST {
			continue
		}
		for i, spec := range block.Specs {
			if spec.(*ast.ValueSpec).Names[0].Name == name {
				return int32(i)
			}
		}
	}
	t.Fatalf("goja has no constant %s any more", name)
	return 0
}
