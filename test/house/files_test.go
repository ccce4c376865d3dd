package house

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// Bounds of CONTRIBUTING.md, in lines.
const (
	longestFile     = 500
	longestFunction = 80
)

// whatSentence matches a sentence, but no question, whose subject is a what-clause.
var whatSentence = regexp.MustCompile(`(?:^|[.:;] )What [a-z][^?]*(?:\.|$)`)

// Files and functions are short, and the sentences of comments have subjects with names.
func TestFilesAreShort(t *testing.T) {
	for file := range sources(t) {
		checkLength(t, file, must.Get(os.ReadFile("../../"+file))(t))
	}
	root := os.DirFS("../..")
	must.Do(t, fs.WalkDir(root, ".", func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains([]string{".git", "node_modules", "dist", "testdata", "raw"}, entry.Name()):
			return fs.SkipDir
		case entry.IsDir() || path.Ext(file) != ".go":
			return nil
		}
		text, err := fs.ReadFile(root, file)
		if err != nil {
			return err
		}
		checkLength(t, file, text)
		checkGo(t, file, text)
		return nil
	}))
}

func checkLength(t *testing.T, file string, text []byte) {
	t.Helper()
	if n := bytes.Count(text, []byte("\n")); n > longestFile {
		t.Errorf("%s has %d lines, of %d at most: it may be two ideas", file, n, longestFile)
	}
}

func checkGo(t *testing.T, name string, text []byte) {
	t.Helper()
	set := token.NewFileSet()
	file := must.Get(parser.ParseFile(set, name, text, parser.ParseComments))(t)
	for _, declaration := range file.Decls {
		if f, ok := declaration.(*ast.FuncDecl); ok {
			if n := set.Position(f.End()).Line - set.Position(f.Pos()).Line + 1; n > longestFunction {
				t.Errorf("%s: %s has %d lines, of %d at most", set.Position(f.Pos()), f.Name.Name, n, longestFunction)
			}
		}
	}
	for _, group := range file.Comments {
		for paragraph := range strings.SplitSeq(group.Text(), "\n\n") {
			sentence := whatSentence.FindString(strings.ReplaceAll(paragraph, "\n", " "))
			if sentence != "" && !declares(file, "What") {
				t.Errorf("%s: %q: name the subject", set.Position(group.Pos()), sentence)
			}
		}
	}
}

// declares reports whether a file declares a type, with whose name comments may then begin.
func declares(file *ast.File, name string) (found bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		found = found || ok && spec.Name.Name == name
		return !found
	})
	return found
}

func TestSubjectsWithoutNamesAreFound(t *testing.T) {
	for text, want := range map[string]bool{
		"What a target refuses is dropped.":             true,
		"Close waits. What is on its way is lost":       true,
		"Chunks that a target refuses are dropped.":     false,
		"It says what a target refuses.":                false,
		"What does a target refuse? It says so itself.": false,
	} {
		if got := whatSentence.MatchString(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
