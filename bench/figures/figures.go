// Package figures is what all measures of the bench share: where a report comes
// from, how it is written, and the statistics in it.
package figures

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// Report is the result of a measure.
type Report interface {
	// Table is the report for people, in Markdown.
	Table() string
}

// Origin says where figures come from. Reports embed it.
type Origin struct {
	Machine Machine `json:"machine"`
	Command string  `json:"command"`
}

// Machine is what the figures were measured on.
type Machine struct {
	When string `json:"when"`
	CPUs int    `json:"cpus"`
	Go   string `json:"go"`
}

// Here is the origin of figures that this process measures, by arguments of the
// bench.
func Here(arguments string) Origin {
	return Origin{
		Machine: Machine{When: time.Now().UTC().Format(time.DateOnly), CPUs: runtime.NumCPU(), Go: runtime.Version()},
		Command: "go run ./bench " + arguments,
	}
}

// Runs is Here for a measure that is run a number of times.
func Runs(measure string, runs int) Origin { return Here(fmt.Sprintf("%s --runs %d", measure, runs)) }

// InShort is the origin as tables state it.
func (o Origin) InShort() string {
	return fmt.Sprintf("`%s`, %s, %d CPUs", o.Command, o.Machine.When, o.Machine.CPUs)
}

// WithGo adds Go's version, where it is Go code that is timed.
func (o Origin) WithGo() string { return o.InShort() + ", " + o.Machine.Go }

// Progress is a line on a terminal that says what is being measured.
type Progress struct{ Terminal io.Writer }

// Show replaces the line.
func (p Progress) Show(format string, args ...any) {
	if p.Terminal != nil {
		fmt.Fprintf(p.Terminal, "\r\x1b[K"+format, args...)
	}
}

// Write puts a report into a directory, as NAME.json and NAME.md.
func Write(directory, name string, r Report) error {
	if err := os.MkdirAll(directory, 0o755); err != nil {
		return err
	}
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	path := filepath.Join(directory, name)
	if err := Replace(path+".json", append(text, '\n')); err != nil {
		return err
	}
	return Replace(path+".md", []byte(r.Table()))
}

// Replace writes a file whole or not at all.
func Replace(path string, content []byte) error {
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(content)
	if err := errors.Join(err, temp.Chmod(0o644), temp.Close()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}
