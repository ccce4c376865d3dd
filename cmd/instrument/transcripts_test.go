package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

var transcribe = flag.Bool("transcribe", false, "rewrite what commands print in the README and docs")

// Pages that show what commands print do so from profiles that are kept in
// bench/testdata/transcripts. In a page a block of code after
//
//	<!-- prints: instrument top demo.cpuprofile -->
//
// is what the command prints ("prints at last": its last line), and so is the rest of a
// block that begins with "$ instrument". A block that begins with "# NAME.yaml" is a file.
var (
	printedBlock  = regexp.MustCompile(`(?m)^<!-- prints( at last)?: instrument (.*) -->\n\n((?:    .*\n)+)`)
	promptedBlock = regexp.MustCompile(`(?m)^    \$ instrument (.*)\n((?:    .*\n)+)`)
	fileBlock     = regexp.MustCompile(`(?m)^    # (\w+\.yaml)\n((?:    .*\n)+)`)
)

func TestTranscripts(t *testing.T) {
	root := must.Get(filepath.Abs("../.."))(t)
	for _, page := range []string{"README.md", "docs/running.md", "docs/views.md"} {
		path := filepath.Join(root, page)
		text := string(must.Get(os.ReadFile(path))(t))
		t.Chdir(t.TempDir())
		must.Do(t, os.CopyFS(".", os.DirFS(filepath.Join(root, "bench/testdata/transcripts"))))
		for _, m := range fileBlock.FindAllStringSubmatch(text, -1) {
			must.Do(t, os.WriteFile(m[1], []byte(strings.ReplaceAll(m[2], "\n    ", "\n")[4:]), 0o600))
		}
		found := 0
		want := printedBlock.ReplaceAllStringFunc(text, func(block string) string {
			found++
			m := printedBlock.FindStringSubmatchIndex(block)
			return block[:m[6]] + show(t, block[m[4]:m[5]], m[2] >= 0)
		})
		want = promptedBlock.ReplaceAllStringFunc(want, func(block string) string {
			found++
			m := promptedBlock.FindStringSubmatchIndex(block)
			return block[:m[4]] + show(t, block[m[2]:m[3]], false)
		})
		if found == 0 {
			t.Errorf("%s shows nothing that a command prints", page)
		}
		if want == text {
			continue
		}
		if *transcribe {
			must.Do(t, os.WriteFile(path, []byte(want), 0o644))
		} else {
			t.Errorf("%s is not what the commands print of bench/testdata/transcripts (go test ./cmd/instrument -run Transcripts -transcribe):\n%s", page, firstDifference(text, want))
		}
	}
}

// show is what a command prints, as a block of code.
func show(t *testing.T, command string, atLast bool) string {
	t.Helper()
	var out bytes.Buffer
	execute(t.Context(), strings.Fields(strings.ReplaceAll(command, "'", "")), &out, &out)
	lines := strings.Split(strings.TrimRight(out.String(), "\n"), "\n")
	if atLast {
		lines = lines[len(lines)-1:]
	}
	return "    " + strings.Join(lines, "\n    ") + "\n"
}

// firstDifference are the first lines in which two texts differ.
func firstDifference(is, want string) string {
	a, b := strings.Split(is, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return a[i] + "\nwant\n" + b[i]
		}
	}
	return "one is longer"
}
