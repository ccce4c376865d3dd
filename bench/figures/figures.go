// Package figures is what all measures of the bench share: where a report comes
// from, how it is written, and the statistics in it.
package figures

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Report is the result of a measure.
type Report interface {
	// Table is the report for people, in Markdown.
	Table() string
}

// Progress is a line on a terminal that says what is being measured.
type Progress struct{ Terminal io.Writer }

// Show replaces the line.
func (p Progress) Show(format string, args ...any) {
	if p.Terminal != nil {
		fmt.Fprintf(p.Terminal, "\r\x1b[K"+format, args...)
	}
}

// Named is a report of a measure that writes several, each by its own name.
type Named interface{ Name() string }

// Read reads the report NAME.json of a directory.
func Read[R any](directory, name string) (*R, error) {
	text, err := os.ReadFile(filepath.Join(directory, name+".json"))
	if err != nil {
		return nil, err
	}
	report := new(R)
	if err := json.Unmarshal(text, report); err != nil {
		return nil, fmt.Errorf("%s.json: %w", name, err)
	}
	return report, nil
}

// ReadAll reads those of several reports that a directory has. If it has none, the error is that for the first.
func ReadAll[R any](directory string, names ...string) (map[string]*R, error) {
	reports := map[string]*R{}
	var missing error
	for _, name := range names {
		switch report, err := Read[R](directory, name); {
		case err == nil:
			reports[name] = report
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		case missing == nil:
			missing = err
		}
	}
	if len(reports) == 0 {
		return nil, missing
	}
	return reports, nil
}

// Drawn is a report with plots.
type Drawn interface {
	Report
	// Plots are SVGs by the names of their files.
	Plots() map[string][]byte
}

// Write puts a report into a directory, as NAME.json and NAME.md, and NAME.csv if it
// has rows, with its plots.
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
	if rows, ok := r.(Rows); ok {
		text, err := CSV(rows.CSV())
		if err != nil {
			return err
		}
		if err := Replace(path+".csv", text); err != nil {
			return err
		}
	}
	if drawn, ok := r.(Drawn); ok {
		for name, svg := range drawn.Plots() {
			if err := Replace(filepath.Join(directory, name), svg); err != nil {
				return err
			}
		}
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
