// Package targets says which of the figures that fieldprof is built for are reached: each with
// what the bench recorded, and the verdict of its interval. docs/targets.md is written from it,
// so a new recording changes the verdict, and a target that is missed is seen to be.
package targets

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
)

// Target is a bound for one recorded figure.
type Target struct {
	What  string
	Bound float64
	Least bool   // the figure must be at least the bound; else at most
	Unit  string // " %", or nothing
	// File is in bench/results, without .json; At is the way to the figure in it: to a number, to an
	// estimate (value, low and high), or to counts by name, of cells and of how many agree.
	File string
	At   []string
}

// Verdict says whether a target is reached.
type Verdict string

// The verdicts.
const (
	Reached     Verdict = "reached"
	Missed      Verdict = "**missed**"
	Open        Verdict = "open" // the interval contains the bound
	NotMeasured Verdict = "not measured"
)

// figure is what was recorded; Low and High are Value where there is no interval.
type figure struct{ Value, Low, High float64 }

// results are the files of a directory that targets have asked for, by name.
type results struct {
	directory string
	read      map[string]any
}

func resultsIn(directory string) *results { return &results{directory, map[string]any{}} }

// file decodes NAME.json, once; a file that is not there is nil.
func (r *results) file(name string) (any, error) {
	if decoded, known := r.read[name]; known {
		return decoded, nil
	}
	var decoded any
	text, err := os.ReadFile(filepath.Join(r.directory, name+".json"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	default:
		if err := json.Unmarshal(text, &decoded); err != nil {
			return nil, fmt.Errorf("%s.json: %w", name, err)
		}
	}
	r.read[name] = decoded
	return decoded, nil
}

// find looks a target's figure up; nil: it is not in the results.
func (t *Target) find(in *results) (*figure, error) {
	at, err := in.file(t.File)
	if err != nil {
		return nil, err
	}
	for _, key := range t.At {
		switch inner := at.(type) {
		case map[string]any:
			at = inner[key]
		case []any:
			at = named(inner, key)
		default:
			return nil, nil
		}
	}
	switch found := at.(type) {
	case float64:
		return &figure{found, found, found}, nil
	case map[string]any:
		value, isNumber := found["value"].(float64)
		low, hasLow := found["low"].(float64)
		high, hasHigh := found["high"].(float64)
		if isNumber && hasLow && hasHigh {
			return &figure{value, low, high}, nil
		}
		if f := shareOf(found); f != nil {
			return f, nil
		}
		return nil, fmt.Errorf("%s.json: %q is no estimate", t.File, t.At)
	case nil:
		return nil, nil
	}
	return nil, fmt.Errorf("%s.json: %q is no figure", t.File, t.At)
}

// shareOf is how many of the counted cells agree, in percent; nil if there are no such counts. The interval
// is Wilson's, as if cells were independent.
func shareOf(counts map[string]any) *figure {
	var cells, agree float64
	for _, each := range counts {
		count, _ := each.(map[string]any)
		n, hasCells := count["cells"].(float64)
		k, hasAgree := count["agree"].(float64)
		if !hasCells || !hasAgree {
			return nil
		}
		cells, agree = cells+n, agree+k
	}
	if cells == 0 {
		return nil
	}
	const square = 1.96 * 1.96
	share := agree / cells
	middle := (share + square/(2*cells)) / (1 + square/cells)
	half := math.Sqrt(square*(share*(1-share)/cells+square/(4*cells*cells))) / (1 + square/cells)
	return &figure{100 * share, 100 * (middle - half), 100 * (middle + half)}
}

// named is the object of a list whose name, program or preset is this.
func named(list []any, name string) any {
	for _, each := range list {
		object, _ := each.(map[string]any)
		for _, key := range []string{"name", "program", "preset"} {
			if object[key] == name {
				return object
			}
		}
	}
	return nil
}

// judge compares a figure with the bound.
func (t *Target) judge(f *figure) Verdict {
	if f == nil {
		return NotMeasured
	}
	within, beyond := f.High <= t.Bound, f.Low > t.Bound
	if t.Least {
		within, beyond = f.Low >= t.Bound, f.High < t.Bound
	}
	switch {
	case within:
		return Reached
	case beyond:
		return Missed
	}
	return Open
}
