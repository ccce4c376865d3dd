package transform

import (
	"cmp"
	"strings"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/sourcemap"
	"github.com/fieldprof/fieldprof/transform/internal/jsscan"
	"github.com/fieldprof/fieldprof/transform/internal/order"
)

// rewrittenMap is a source's map in the columns of the result, and where its
// functions came from; a line of 0 is unknown.
type rewrittenMap struct {
	json      []byte
	originals []functable.Original
	ignored   []bool // by function
}

// rewriteMap shifts the source's map, and looks up the originals in the same pass.
func rewriteMap(data []byte, script *jsscan.Script, at *positions) (*rewrittenMap, error) {
	asked, places := askPlaces(script, at)
	rewritten, err := sourcemap.Rewrite(data, insertedStretches(at), places)
	if err != nil {
		return nil, err
	}
	answers := make([]*sourcemap.Original, askedOf*len(script.Functions))
	listed := make([]bool, len(answers))
	for _, q := range asked {
		if o := &rewritten.Originals[q.place]; o.Line >= 0 {
			answers[q.answer], listed[q.answer] = o, rewritten.Ignored[q.place]
		}
	}
	originals, ignored := make([]functable.Original, len(script.Functions)), make([]bool, len(script.Functions))
	for i := range script.Functions {
		of := answers[askedOf*i : askedOf*i+askedOf]
		found := cmp.Or(of[askedStart], of[askedParams])
		if found == nil {
			continue
		}
		which := askedOf*i + askedStart
		if of[askedStart] == nil {
			which = askedOf*i + askedParams
		}
		ignored[i] = listed[which] || strings.Contains("/"+found.Source, "/node_modules/")
		originals[i] = functable.Original{
			Source:   found.Source,
			Name:     script.Functions[i].Name,
			Position: functable.Position{Line: int32(found.Line) + 1, Column: int32(found.Column) + 1},
		}
		if named := of[askedName]; named != nil && named.Name != "" {
			originals[i].Name = named.Name
		}
	}
	return &rewrittenMap{rewritten.JSON, originals, ignored}, nil
}

// into adds to a table where its functions came from.
func (m *rewrittenMap) into(table *functable.Table) {
	for i := range m.originals {
		if m.originals[i].Line > 0 {
			table.Functions[i+1].Original, table.Functions[i+1].Ignored = &m.originals[i], m.ignored[i]
		}
	}
}

// The questions about each function: the original of its start, or else of its
// parameters, and its original name, which has a mapping of its own if a tool
// renamed it.
const (
	askedStart = iota
	askedParams
	askedName
	askedOf
)

// question is one offset that the map is asked about.
type question struct {
	offset int32
	answer int32 // function · askedOf + what
	place  int32 // among the places
}

// askPlaces returns the places to look up, in order and without duplicates, and
// which of them answers which question.
func askPlaces(script *jsscan.Script, at *positions) ([]question, []sourcemap.Place) {
	questions := make([]question, 0, askedOf*len(script.Functions))
	for i := range script.Functions {
		f := &script.Functions[i]
		ask := func(what, offset int) {
			questions = append(questions, question{offset: int32(offset), answer: int32(askedOf*i + what)})
		}
		ask(askedStart, f.Start)
		if f.Params != f.Start {
			ask(askedParams, f.Params)
		}
		if f.NameAt >= 0 {
			ask(askedName, f.NameAt)
		}
	}
	questions = order.ByOffset(len(at.Bytes()), func(q *question) int { return int(q.offset) },
		func(x, y question) int { return cmp.Compare(x.offset, y.offset) }, questions)
	places := make([]sourcemap.Place, 0, len(questions))
	c := at.cursor()
	for i := range questions {
		q := &questions[i]
		if i == 0 || q.offset != questions[i-1].offset {
			places = append(places, c.place(int(q.offset)))
		}
		q.place = int32(len(places)) - 1
	}
	return questions, places
}

// insertedStretches describes the insertions as a source map counts.
func insertedStretches(at *positions) []sourcemap.Insertion {
	stretches := make([]sourcemap.Insertion, len(at.edits))
	c := at.cursor()
	for i := range at.edits {
		p := c.place(at.edits[i].Offset)
		stretches[i] = sourcemap.Insertion{Line: p.Line, Column: p.Column, Width: int32(len(at.edits[i].Text))}
	}
	return stretches
}
