package transform

import (
	"fmt"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/transform/internal/jsscan"
)

// Why is the kind of reason for which a function is checked or not.
type Why uint8

// In: the function is checked.
const (
	InByStatements Why = iota + 1 // it has N statements or more
	InByFreeLoop                  // it has a loop without calls
	InByLoop                      // it has a loop
	InByIteration                 // it calls what loops in the engine
	InByEventLoop                 // the event loop enters it, or goes on with it
	InByCounts                    // its checks are worth their cost, by Selection.Counts
	InLargest                     // nothing fits MaxOverhead, and it is one of the largest
)

// Out: the function is not checked.
const (
	OutSmall         Why = iota + 16 // it has fewer than N statements
	OutNoSite                        // it has no site of the kinds that are checked
	OutTopLevel                      // the top level has no loop without calls
	OutInitializer                   // it is a class field initialiser or static block
	OutByComment                     // a comment: fieldprof: off
	OutByFileComment                 // a comment: fieldprof: off file
	OutUseAsm                        // "use asm"
	OutWith                          // it is inside a with statement, or has one, whose object may have our names
	OutExports                       // Node reads from its text what the module exports
	OutSource                        // Options.Keep does not keep its source
	OutOfBudget                      // Options.MaxGzip has no room for it
	OutText                          // its text is taken, and it is used for nothing else
	OutUnread                        // the file could not be read
	OutOfOverhead                    // Selection.MaxOverhead has no room for it
	OutUnexecuted                    // it was not executed when sites were counted, and is small
)

// Reason says why a function is checked or not.
type Reason struct {
	Why Why
	// Inside: the reason applies to an enclosing function.
	Inside bool
	// The function's statements, and N, if they decide.
	Statements, N int32
	// Executions of its sites, and what their checks would take, in percent, where counts decide.
	Executions, Percent float64
	// LoopsOut: its loops' checks are not worth theirs.
	LoopsOut bool
	// At is where the function is defined in the source, if Options.Explain
	// asks for it.
	At functable.Position
}

// In reports whether the function is checked.
func (r Reason) In() bool { return r.Why < OutSmall }

// String returns the reason in words: "12 statements", "3 statements, under 10".
func (r Reason) String() string {
	text := ""
	switch r.Why {
	case InByStatements:
		text = statements(r.Statements)
	case OutSmall:
		text = fmt.Sprintf("%s, under %d", statements(r.Statements), r.N)
	case OutUnexecuted:
		text = fmt.Sprintf("not executed when sites were counted, and %s, under %d", statements(r.Statements), r.N)
	case InByCounts, InLargest, OutOfOverhead:
		text = r.counted()
	default:
		text = reasonTexts[r.Why]
	}
	if r.Inside {
		text = "inside a function left alone: " + text
	}
	return text
}

// counted is the text of a reason that counts decide.
func (r Reason) counted() string {
	executed := fmt.Sprintf("%.0f executions", r.Executions)
	if r.Executions == 1 {
		executed = "1 execution"
	}
	switch cost := fmt.Sprintf("%.3g%%", r.Percent); {
	case r.Why == InLargest:
		return fmt.Sprintf("%s (%s); nothing fits the overhead budget, and this is one of the largest", executed, statements(r.Statements))
	case r.Why == OutOfOverhead:
		return fmt.Sprintf("%s, over the overhead budget: its checks would take %s", executed, cost)
	case r.LoopsOut:
		return fmt.Sprintf("%s, at most %s with its loops, which stay out", executed, cost)
	default:
		return fmt.Sprintf("%s, at most %s", executed, cost)
	}
}

var reasonTexts = map[Why]string{
	InByFreeLoop:     "has a loop without calls",
	InByLoop:         "has a loop",
	InByIteration:    "calls what loops: sort, map with a function, JSON.parse, /a+/.test …",
	InByEventLoop:    "entered by the event loop: async, a callback or a handler",
	OutNoSite:        "no site of the kinds that are checked",
	OutTopLevel:      "top level: no loop without calls",
	OutInitializer:   "class field initialiser",
	OutByComment:     "comment: fieldprof: off",
	OutByFileComment: "comment: fieldprof: off file",
	OutUseAsm:        `"use asm"`,
	OutWith:          "a with statement",
	OutExports:       "names exports in a way that Node reads from the text",
	OutSource:        "source excluded",
	OutOfBudget:      "over the size budget",
	OutText:          "its text is taken (toString)",
	OutUnread:        "the file could not be read",
}

func statements(n int32) string {
	if n == 1 {
		return "1 statement"
	}
	return fmt.Sprintf("%d statements", n)
}

// explain records where the functions are in the source.
func explain(reasons []Reason, script *jsscan.Script, at *positions) {
	for i := range script.Functions {
		reasons[i+1].At = at.source(script.Functions[i].Params)
	}
}
