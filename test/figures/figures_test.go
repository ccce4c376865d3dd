// Package figures enforces a rule on the README and docs: every figure in them has been
// measured by the bench, is bounded by a test, or is a setting.
//
// A figure is a number with a unit, outside code. Measured ones are between marks that
// viewers of Markdown do not show:
//
//	<!-- figure: bench/results/bias.json#/engines/node/floor/strict/value -->94.6 %<!-- / -->
//
// The mark names a results file and, as a JSON Pointer (RFC 6901), the value that the text
// gives, rounded as in the text. All other figures are listed in stated_test.go: those that a
// test bounds, and those that code, a standard or an example sets and no test measures.
package figures

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

var (
	// number with a unit.
	number = regexp.MustCompile(`[−-]?\d[\d.,]*\s?(%|ms\b|µs|ns\b|s\b|[KMG]B\b|bytes\b|points?\b|times\b|×|seconds?\b|minutes?\b)`)
	mark   = regexp.MustCompile(`<!-- (\w+)(?:: (\S+))? -->(.*?)<!-- / -->`)
	code   = regexp.MustCompile("(?s)\n```.*?\n```|\n~~~.*?\n~~~|`[^`\n]*`|(?m:^(?: {4}|\t)[^\n]*$)|\\]\\([^)]*\\)")
	remark = regexp.MustCompile(`(?s)<!--.*?-->`)
)

// generated pages are written from results as a whole; their packages test that.
var generated = map[string]bool{"docs/accuracy.md": true, "docs/capacity.md": true, "docs/overhead.md": true, "docs/visits.md": true, "docs/causal.md": true, "docs/targets.md": true}

func TestFigures(t *testing.T) {
	root := "../.."
	pages := []string{"README.md"}
	must.Do(t, filepath.WalkDir(filepath.Join(root, "docs"), func(path string, entry os.DirEntry, err error) error {
		if relative, _ := filepath.Rel(root, path); err == nil && strings.HasSuffix(path, ".md") && !generated[filepath.ToSlash(relative)] {
			pages = append(pages, relative)
		}
		return err
	}))
	if len(pages) < 5 {
		t.Fatalf("pages %q: where are the docs?", pages)
	}
	for _, s := range stated {
		if !slices.Contains(pages, filepath.FromSlash(s.page)) {
			t.Errorf("stated lists %q for %s, which is not a page", s.text, s.page)
		}
	}
	for _, page := range pages {
		text := must.Get(os.ReadFile(filepath.Join(root, page)))(t)
		for _, fault := range faults(os.DirFS(root).(fileReader), string(text), statedIn(filepath.ToSlash(page))) {
			t.Errorf("%s: %s", page, fault)
		}
	}
}

// fileReader reads files of the repository.
type fileReader interface {
	ReadFile(name string) ([]byte, error)
}

// faults lists what is wrong with the figures of a page.
func faults(files fileReader, page string, stated []statement) []string {
	var list []string
	rest := mark.ReplaceAllStringFunc(page, func(marked string) string {
		m := mark.FindStringSubmatch(marked)
		if err := check(files, m[1], m[2], m[3]); err != nil {
			list = append(list, fmt.Sprintf("%q: %v", m[3], err))
		}
		return ""
	})
	rest = code.ReplaceAllString(rest, " ")
	rest = remark.ReplaceAllString(rest, " ")
	rest = strings.Join(strings.Fields(rest), " ")
	for _, s := range stated {
		if err := s.check(files); err != nil {
			list = append(list, fmt.Sprintf("%q: %v", s.text, err))
		}
		if !strings.Contains(rest, s.text) {
			list = append(list, fmt.Sprintf("%q is in stated_test.go and not on the page", s.text))
		}
		rest = strings.ReplaceAll(rest, s.text, "")
	}
	for _, m := range number.FindAllStringIndex(rest, -1) {
		around := rest[max(0, m[0]-40):min(len(rest), m[1]+20)]
		list = append(list, fmt.Sprintf("%q has no mark and is not in stated_test.go: …%s…", rest[m[0]:m[1]], around))
	}
	return list
}

// check checks one marked figure.
func check(files fileReader, kind, source, text string) error {
	if kind != "figure" {
		return fmt.Errorf("there are no marks %q: list the figure in stated_test.go", kind)
	}
	file, pointer, ok := strings.Cut(source, "#")
	if !ok || !strings.HasPrefix(file, "bench/results/") {
		return fmt.Errorf("name a file in bench/results and a place in it: FILE#/a/b")
	}
	content, err := files.ReadFile(file)
	if err != nil {
		return err
	}
	var document any
	if err := json.Unmarshal(content, &document); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	value, err := follow(document, pointer)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return agree(text, value)
}

// follow finds the number that a JSON Pointer names.
func follow(document any, pointer string) (float64, error) {
	at := document
	for _, step := range strings.Split(pointer, "/")[1:] {
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		switch node := at.(type) {
		case map[string]any:
			var ok bool
			if at, ok = node[step]; !ok {
				return 0, fmt.Errorf("there is no %q on the path %s", step, pointer)
			}
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(node) {
				return 0, fmt.Errorf("there is no element %q on the path %s", step, pointer)
			}
			at = node[i]
		default:
			return 0, fmt.Errorf("%s goes on after a value, at %q", pointer, step)
		}
	}
	value, ok := at.(float64)
	if !ok {
		return 0, fmt.Errorf("%s is not a number", pointer)
	}
	return value, nil
}

// agree compares a text with a value, rounded to the digits the text has.
func agree(text string, value float64) error {
	shown := regexp.MustCompile(`[−-]?\d+(\.\d+)?`).FindString(text)
	if shown == "" {
		return fmt.Errorf("there is no number")
	}
	_, digits, _ := strings.Cut(shown, ".")
	if want := strconv.FormatFloat(value, 'f', len(digits), 64); strings.Replace(shown, "−", "-", 1) != want {
		return fmt.Errorf("the results say %s", want)
	}
	return nil
}
