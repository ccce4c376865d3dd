package texts

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/sourcemap/textpos"
	"github.com/fieldprof/fieldprof/transform"
)

// way is a way to instrument.
type way struct {
	name    string
	options transform.Options
}

// ways are the presets in both forms, and selections that insert what no preset does.
func ways() []way {
	var list []way
	for _, form := range []transform.Form{transform.Inline, transform.Compact} {
		for _, preset := range []transform.Preset{transform.Balanced, transform.Fine, transform.Precise, transform.Classic} {
			list = append(list, way{fmt.Sprint(preset, " ", form), transform.Options{Selection: transform.Selection{Preset: preset, Form: form}}})
		}
	}
	for _, form := range []transform.Form{transform.Inline, transform.Compact} {
		for _, sites := range []functable.Sites{functable.Entry | functable.Loop, functable.Entry | functable.Exit} {
			options := transform.Options{Selection: transform.Selection{Preset: transform.Precise, Form: form, Checks: sites}}
			list = append(list, way{fmt.Sprint(sites, " ", form), options})
		}
	}
	return list
}

// pair is what a function looks like instrumented and in the source, as stretches
// of one job's texts.
type pair struct {
	Name         string
	Code, Source [2]int
}

// job is one file in one way, for testdata/shown.mjs.
type job struct {
	File, Way    string
	Code, Source string
	Pairs        []pair
}

// largest is the size up to which functions are looked at: those around them
// together are several times the file. The file as a whole is looked at always.
const largest = 20_000

// newJob instruments a file.
func newJob(file string, src []byte, w way) (j job, passed int, ok bool) {
	w.options.File = file
	if filepath.Ext(file) == ".mjs" {
		w.options.Goal = transform.Module
	}
	result, err := transform.Transform(src, w.options)
	if err != nil || len(result.Warnings) > 0 || len(result.Insertions) < 2 {
		return job{}, 0, false
	}
	j = job{File: file, Way: w.name, Code: string(result.Code), Source: string(src)}
	whole := functionsOf(j.Code, result.Insertions)
	j.Pairs = append(j.Pairs, pair{"all", [2]int{len(j.Code), len(j.Code) + len(whole)}, [2]int{0, len(src)}})
	text := textpos.Of(result.Code)
	for i := range result.Table.Functions[1:] {
		f := &result.Table.Functions[i+1]
		start, end := offsetOf(text, f.Start), offsetOf(text, f.End)
		if f.Sites == 0 || f.Kind == functable.Initializer || end-start > largest {
			continue
		}
		if isPassed(j.Code, result.Insertions, start, end) {
			passed++
			continue
		}
		from, to := inSource(&result, start), inSource(&result, end)
		j.Pairs = append(j.Pairs, pair{f.Name, [2]int{start, end}, [2]int{from, to}})
	}
	j.Code += whole
	return j, passed, true
}

// passes is one more parameter or argument of a function of the top level, and declares
// the prologue.
var (
	passes   = regexp.MustCompile(`^,?(?:void 0,)*(?:(?:(?:\$_?|_\$)[felx]\w*,?)+|\(globalThis.*)$`)
	declares = regexp.MustCompile(`^;?(?:var|const|import)\b.*fieldprof`)
)

// functionsOf leaves out what is the text of no function that programs can see: the
// prologue, and the bindings as parameters and arguments.
func functionsOf(code string, insertions []transform.Insertion) string {
	var text strings.Builder
	at := 0
	for i, insertion := range insertions {
		end := insertion.Offset + insertion.Length
		inserted := code[insertion.Offset:end]
		if i == 0 && declares.MatchString(inserted) || passes.MatchString(inserted) {
			text.WriteString(code[at:insertion.Offset])
			at = end
		}
	}
	return text.String() + code[at:]
}

// isPassed reports whether a function has the bindings as parameters: programs cannot get
// at it.
func isPassed(code string, insertions []transform.Insertion, start, end int) bool {
	return slices.ContainsFunc(insertions, func(i transform.Insertion) bool {
		return start < i.Offset && i.Offset < end && passes.MatchString(code[i.Offset:i.Offset+i.Length])
	})
}

// offsetOf is where a position is.
func offsetOf(text *textpos.Text, p functable.Position) int {
	line := int(p.Line) - 1
	return text.LineStart(line) + textpos.Bytes(text.Line(line), int(p.Column)-1)
}

// inSource takes an offset of the code to the source.
func inSource(result *transform.Result, offset int) int {
	at := offset
	for _, i := range result.Insertions {
		if i.Offset >= offset {
			break
		}
		at -= min(i.Length, offset-i.Offset)
	}
	return at
}

// bound is how large files are at most: one of many lines and columns costs this
// test more than it shows.
const bound = 400_000

// scripts are the programs of fixtures, and files of npm packages, one in so many,
// chosen by their names.
func scripts(t *testing.T, each uint32) []string {
	t.Helper()
	var chosen []string
	for _, pattern := range []string{"exact/*.js", "classic/*.?js", "real/*.?js", "real/*.js"} {
		chosen = append(chosen, must.Get(filepath.Glob(filepath.Join(fixtures.Dir(), pattern)))(t)...)
	}
	for _, folder := range []string{".", "../libraries", filepath.Join(fixtures.Dir())} {
		fixtures.EnsureIn(t, folder)
		must.Do(t, filepath.WalkDir(filepath.Join(folder, "node_modules"), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			switch filepath.Ext(path) {
			case ".js", ".mjs", ".cjs":
				name, _ := filepath.Rel(folder, path)
				sum := fnv.New32a()
				sum.Write([]byte(filepath.ToSlash(name)))
				if sum.Sum32()%each == 0 {
					chosen = append(chosen, path)
				}
			}
			return nil
		}))
	}
	return chosen
}

// Functions show their source's text.
func TestShownTexts(t *testing.T) {
	each := uint32(400)
	if os.Getenv("FIELDPROF_FULL") != "" {
		each = 40
	}
	input, done := startNode(t, "testdata/shown.mjs")
	encoder := json.NewEncoder(input)
	files, pairs, hidden := 0, 0, 0
	for i, path := range scripts(t, each) {
		src := must.Get(os.ReadFile(path))(t)
		if len(src) > bound || !utf8.Valid(src) {
			continue
		}
		files++
		for k, w := range ways() {
			if ours := !strings.Contains(path, "node_modules"); k%3 != i%3 && each > 100 && !ours {
				continue
			}
			if j, passed, ok := newJob(path, src, w); ok {
				hidden += passed
				pairs += len(j.Pairs)
				must.Do(t, encoder.Encode(j))
			}
		}
	}
	input.Close()
	said := done()
	t.Logf("%d functions of %d files, without %d that have the bindings as parameters: %s", pairs, files, hidden, said)
	if files < 20 || pairs < 2000 {
		t.Errorf("only %d functions of %d files were looked at", pairs, files)
	}
}

// patience is how long one Node process may take: one that hangs is to fail, and a
// slow one is not.
const patience = 3 * time.Minute

// startNode starts a script that reads its standard input. Done waits for it and
// gives what it printed.
func startNode(t *testing.T, args ...string) (input interface {
	Write([]byte) (int, error)
	Close() error
}, done func() string) {
	t.Helper()
	must.Have(t, "node")
	cmd := exec.Command("node", args...)
	var output, errors strings.Builder
	cmd.Stdout, cmd.Stderr = &output, &errors
	input, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	must.Do(t, err)
	kill := time.AfterFunc(patience, func() { cmd.Process.Kill() }) // it may never read
	return input, func() string {
		t.Helper()
		defer kill.Stop()
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v (is killed after %v)\n%s%s", err, patience, output.String(), errors.String())
		}
		return strings.TrimSpace(output.String())
	}
}
