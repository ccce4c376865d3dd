package transform

import (
	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/sourcemap"
	"github.com/fieldprof/fieldprof/transform/internal/edit"
	"github.com/fieldprof/fieldprof/transform/internal/jsscan"
)

var tableKinds = [...]functable.Kind{
	jsscan.Declaration: functable.Declaration,
	jsscan.Expression:  functable.Expression,
	jsscan.Arrow:       functable.Arrow,
	jsscan.Method:      functable.Method,
	jsscan.Getter:      functable.Getter,
	jsscan.Setter:      functable.Setter,
	jsscan.Constructor: functable.Constructor,
	jsscan.Initializer: functable.Initializer,
}

// makeTable describes the functions as they are in the result. A function's range
// includes the text inserted for it, because that is where an engine sees it when a
// check runs.
func makeTable(script *jsscan.Script, plan *plan, options *Options, at *positions, tails []edit.ID) *functable.Table {
	table := &functable.Table{File: options.name(), DebugID: sourcemap.DebugID(at.Bytes()), Functions: make([]functable.Function, 0, len(script.Functions)+1)}
	top := wholeScript(at, script.Statements, len(at.edits))
	if len(plan.topLoops) > 0 {
		top.Sites = functable.Loop
	}
	table.Functions = append(table.Functions, top)
	ends := endingInsertions(script, at, tails)
	head, end := at.cursor(), at.cursor()
	for i := range script.Functions {
		f := &script.Functions[i]
		// Everything inserted at the function's first byte belongs to something
		// around it; at its end, everything up to its tail belongs to it.
		afterStart := head.before(f.Start + 1)
		afterEnd := max(end.before(f.End), ends[i])
		table.Functions = append(table.Functions, functable.Function{
			Name:        f.Name,
			Inferred:    f.Inferred,
			Kind:        tableKinds[f.Kind],
			Start:       head.result(f.Start, afterStart),
			End:         end.result(f.End, afterEnd),
			Definition:  head.result(f.Params, head.before(f.Params+1)),
			Parent:      int32(f.Parent) + 1,
			Statements:  int32(f.Statements),
			Sites:       plan.functions[i].sites,
			FilledFirst: filledFirst(f, options),
		})
	}
	return table
}

// endingInsertions counts, for each function, the insertions up to the last one
// that ends it, or ends an inner function that ends where it does; 0 if none does.
func endingInsertions(script *jsscan.Script, at *positions, tails []edit.ID) []int {
	order := make([]int, len(at.edits)) // place in the result by ID
	for i := range at.edits {
		order[at.edits[i].ID()] = i
	}
	ends := make([]int, len(tails))
	for i := len(tails) - 1; i >= 0; i-- { // children are after their parents
		if tails[i] >= 0 {
			ends[i] = max(ends[i], order[tails[i]]+1)
		}
		f := &script.Functions[i]
		if f.Parent >= 0 && script.Functions[f.Parent].End == f.End {
			ends[f.Parent] = max(ends[f.Parent], ends[i])
		}
	}
	return ends
}

// wholeScript is entry 0 of every table.
func wholeScript(at *positions, statements, edits int) functable.Function {
	end := at.cursor()
	return functable.Function{
		Kind:       functable.Script,
		Start:      functable.Position{Line: 1, Column: 1},
		End:        end.result(len(at.Bytes()), edits),
		Definition: functable.Position{Line: 1, Column: 1},
		Parent:     -1,
		Statements: int32(statements),
	}
}

func countCoverage(s *Stats, table *functable.Table) {
	for i := range table.Functions {
		f := &table.Functions[i]
		s.Statements += int(f.Statements)
		if f.Kind == functable.Script {
			s.CheckedStatements += int(f.Statements) // its time is always its own
			continue
		}
		s.Functions++
		if f.Sites != 0 {
			s.CheckedFunctions++
			s.CheckedStatements += int(f.Statements)
		}
	}
}
