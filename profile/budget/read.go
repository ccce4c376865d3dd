package budget

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/fieldprof/fieldprof/internal/pathglob"
)

// File is a file of budgets.
type File struct {
	Budgets []Budget
}

// Budget limits one part of a program.
type Budget struct {
	Name      string
	Sources   []string // globs of files; of a feature, too
	Functions []string // globs of names; either these or Sources
	Total     bool     // total time instead of self
	Share     float64  // the most it may have of the busy time; 0 when Time is set
	Time      time.Duration
	Line      int // in the file
}

// Error is a mistake in a file of budgets.
type Error struct {
	Line, Column int // from 1
	Text         string
}

func (e *Error) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Text) }

func wrong(n *yaml.Node, format string, args ...any) error {
	return &Error{n.Line, n.Column, fmt.Sprintf(format, args...)}
}

// Bounds on a file; a person writes it.
const (
	maxBytes   = 1 << 20
	maxBudgets = 10_000
)

// Read reads a file of budgets.
func Read(data []byte) (*File, error) {
	if len(data) > maxBytes {
		return nil, &Error{1, 1, fmt.Sprintf("larger than %d MB: not a file of budgets", maxBytes>>20)}
	}
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil {
		return nil, syntaxError(err)
	}
	if len(document.Content) == 0 {
		return nil, &Error{1, 1, "the file is empty: it needs budgets"}
	}
	r := &reader{features: map[string][]string{}}
	top, err := r.mapping(document.Content[0], "budgets", "features")
	if err != nil {
		return nil, err
	}
	if n := top["features"]; n != nil {
		if err := r.readFeatures(n); err != nil {
			return nil, err
		}
	}
	list := top["budgets"]
	if list == nil {
		return nil, wrong(document.Content[0], "there are no budgets: add a list under the key budgets")
	}
	if list.Kind != yaml.SequenceNode || len(list.Content) == 0 || len(list.Content) > maxBudgets {
		return nil, wrong(list, "budgets: a list of budgets, each with - in front")
	}
	f := &File{}
	for _, n := range list.Content {
		b, err := r.readBudget(n)
		if err != nil {
			return nil, err
		}
		f.Budgets = append(f.Budgets, b)
	}
	return f, nil
}

// syntaxError takes the line out of what the YAML reader says.
func syntaxError(err error) error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	if rest, ok := strings.CutPrefix(text, "line "); ok {
		if number, what, ok := strings.Cut(rest, ": "); ok {
			if line, err := strconv.Atoi(number); err == nil {
				return &Error{line, 1, "not YAML: " + what}
			}
		}
	}
	return &Error{1, 1, "not YAML: " + text}
}

type reader struct {
	features map[string][]string
}

// mapping returns the values of a mapping that may have these keys.
func (r *reader) mapping(n *yaml.Node, keys ...string) (map[string]*yaml.Node, error) {
	if n.Kind != yaml.MappingNode {
		return nil, wrong(n, "a mapping belongs here, with the keys %s", strings.Join(keys, ", "))
	}
	values := map[string]*yaml.Node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		switch {
		case key.Kind != yaml.ScalarNode || !slices.Contains(keys, key.Value):
			return nil, wrong(key, "unknown key %q: did you mean %s? Known are %s", key.Value, nearest(key.Value, keys), strings.Join(keys, ", "))
		case values[key.Value] != nil:
			return nil, wrong(key, "%s appears twice", key.Value)
		case value.Kind == yaml.AliasNode:
			return nil, wrong(value, "%s: aliases are not read: write it out", key.Value)
		}
		values[key.Value] = value
	}
	return values, nil
}

func (r *reader) readFeatures(n *yaml.Node) error {
	if n.Kind != yaml.MappingNode {
		return wrong(n, "features: a mapping of names to globs")
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if _, twice := r.features[key.Value]; twice || key.Value == "" {
			return wrong(key, "feature %q: it needs a name of its own", key.Value)
		}
		globs, err := globsOf(n.Content[i+1], key.Value, pathglob.Check)
		if err != nil {
			return err
		}
		r.features[key.Value] = globs
	}
	return nil
}

// globsOf reads one glob or a list of them.
func globsOf(n *yaml.Node, key string, check func(string) error) ([]string, error) {
	nodes := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		nodes = n.Content
	}
	if len(nodes) == 0 {
		return nil, wrong(n, "%s: a glob, or a list of globs", key)
	}
	var globs []string
	for _, item := range nodes {
		if item.Kind != yaml.ScalarNode {
			return nil, wrong(item, "%s: a glob, or a list of globs", key)
		}
		if err := check(item.Value); err != nil {
			return nil, wrong(item, "%s: %v", key, err)
		}
		globs = append(globs, item.Value)
	}
	return globs, nil
}

func (r *reader) readBudget(n *yaml.Node) (Budget, error) {
	b := Budget{Line: n.Line}
	values, err := r.mapping(n, "name", "sources", "functions", "feature", "measure", "max")
	if err != nil {
		return b, err
	}
	if err := r.readPart(n, values, &b); err != nil {
		return b, err
	}
	if v := values["name"]; v != nil {
		if v.Kind != yaml.ScalarNode || v.Value == "" {
			return b, wrong(v, "name: a word or a few")
		}
		b.Name = v.Value
	}
	if v := values["measure"]; v != nil {
		if b.Total = v.Value == "total"; !b.Total && v.Value != "self" {
			return b, wrong(v, "measure: self or total, not %q", v.Value)
		}
	}
	v := values["max"]
	if v == nil {
		return b, wrong(n, "a budget needs max, such as max: 25%% or max: 120ms")
	}
	return b, readMax(v, &b)
}

// readPart reads what a budget is of.
func (r *reader) readPart(n *yaml.Node, values map[string]*yaml.Node, b *Budget) (err error) {
	given := 0
	for _, key := range []string{"sources", "functions", "feature"} {
		if values[key] != nil {
			given++
		}
	}
	if given != 1 {
		return wrong(n, "a budget is of either sources, functions or a feature, not of %d of them", given)
	}
	switch {
	case values["sources"] != nil:
		b.Sources, err = globsOf(values["sources"], "sources", pathglob.Check)
		b.Name = strings.Join(b.Sources, ", ")
	case values["functions"] != nil:
		b.Functions, err = globsOf(values["functions"], "functions", checkNameGlob)
		b.Name = strings.Join(b.Functions, ", ")
	default:
		v := values["feature"]
		globs, known := r.features[v.Value]
		if !known {
			if len(r.features) == 0 {
				return wrong(v, "feature %q: there are no features: add them under the key features", v.Value)
			}
			names := slices.Sorted(maps.Keys(r.features))
			return wrong(v, "no feature %q: did you mean %s? Known are %s", v.Value, nearest(v.Value, names), strings.Join(names, ", "))
		}
		b.Name, b.Sources = v.Value, globs
	}
	return err
}

// checkNameGlob says what is wrong with a pattern of names.
func checkNameGlob(pattern string) error {
	if _, err := path.Match(pattern, ""); err != nil || pattern == "" {
		return fmt.Errorf("%q is not a pattern of names: use *, ? and [a-z]", pattern)
	}
	return nil
}

var errMax = errors.New("a share of the busy time, such as 25%, or a time, such as 120ms")

func readMax(v *yaml.Node, b *Budget) error {
	if share, ok := strings.CutSuffix(v.Value, "%"); ok {
		percent, err := strconv.ParseFloat(strings.TrimSpace(share), 64)
		if err != nil || !(percent > 0 && percent <= 100) {
			return wrong(v, "max: %v, not %q", errMax, v.Value)
		}
		b.Share = percent / 100
		return nil
	}
	d, err := time.ParseDuration(v.Value)
	if v.Kind != yaml.ScalarNode || err != nil || d <= 0 || d == math.MaxInt64 {
		return wrong(v, "max: %v, not %q", errMax, v.Value)
	}
	b.Time = d
	return nil
}

// nearest is the word that takes the fewest changes of letters.
func nearest(word string, known []string) string {
	best, least := "", math.MaxInt
	for _, k := range known {
		if n := distance(word[:min(len(word), 64)], k[:min(len(k), 64)]); n < least {
			best, least = k, n
		}
	}
	return best
}

// distance is the number of letters to insert, leave out or replace.
func distance(x, y string) int {
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(x) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(y) {
			cost := 1
			if x[i] == y[j] {
				cost = 0
			}
			corner, row[j+1] = row[j+1], min(corner+cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(y)]
}
