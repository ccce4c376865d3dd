package targets

import (
	"fmt"
	"strings"
)

//go:generate go run ../document targets

// Page is docs/targets.md, from a directory of results.
func Page(directory string) ([]byte, error) {
	recorded := resultsIn(directory)
	var b strings.Builder
	b.WriteString("<!-- Made by go generate ./bench/targets from bench/results. -->\n# Targets\n\n" +
		"This page compares what fieldprof is built to reach with what the bench has recorded: each figure with its 95 % interval. A target is *reached*\n" +
		"if its whole interval is within the bound, *missed* if it is beyond, and *open* if the interval contains the bound. A figure without an interval is a size, a count, or one\n" +
		"whose scatter is not known; then the figure alone decides. [measurements.md](measurements.md) says how each is measured.\n")
	for _, s := range Sections {
		fmt.Fprintf(&b, "\n## %s\n\n[Measured](%s):\n\n| | asked | recorded | |\n|---|---:|---:|---|\n", s.Title, s.Defined)
		for _, t := range s.Targets {
			f, err := t.find(recorded)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", t.What, t.asked(), t.recorded(f), t.judge(f))
		}
		for _, note := range s.Notes {
			b.WriteString("\n" + note + "\n")
		}
	}
	return []byte(b.String()), nil
}

func (t *Target) asked() string {
	sign := "≤"
	if t.Least {
		sign = "≥"
	}
	return fmt.Sprintf("%s %v%s", sign, t.Bound, t.Unit)
}

func (t *Target) recorded(f *figure) string {
	switch {
	case f == nil:
		return "–"
	case f.Low == f.High && f.Value == float64(int(f.Value)):
		return fmt.Sprintf("%v%s", f.Value, t.Unit)
	case f.Low == f.High:
		return fmt.Sprintf("%.2f%s", f.Value, t.Unit)
	}
	return fmt.Sprintf("%.1f (%.1f to %.1f)%s", f.Value, f.Low, f.High, t.Unit)
}
