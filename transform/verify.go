package transform

import (
	"errors"
	"fmt"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/transform/internal/jsscan"
)

// Deleting the insertions gives the source back, but that does not prove that the
// program around them is unchanged. Text before a line break can join two statements,
// and a brace can close the wrong block. So the result is read again, and must have
// the structure of the source: each function, return, suspension and loop where it
// was, and in each function the statements that were there plus those inserted. A
// file that fails this reveals a defect of this package; it is left alone, with a
// warning.
//
// Reading again takes about as long as the first reading; it runs concurrently with
// the work on maps and tables.

// verify compares the result with the source. The error locates the first
// difference in the source.
func verify(script *jsscan.Script, e *emitter, at *positions, code []byte, memory *jsscan.Memory) *jsscan.SyntaxError {
	again, err := jsscan.Scan(code, jsscan.Options{Goal: script.Goal, Memory: memory})
	if err != nil {
		var syntax *jsscan.SyntaxError
		if !errors.As(err, &syntax) {
			return differs(0, err.Error())
		}
		return differs(at.origin(syntax.Offset), "it could not be read again: "+syntax.Msg)
	}
	v := verifier{positions: at}
	if inserted, ok := v.topLevel(script, again, e); !ok {
		return differs(script.Insert, fmt.Sprintf("%d statements of the top level became %d", script.Begun+inserted, again.Begun))
	}
	next := 0
	for i := range script.Functions {
		for next < len(again.Functions) && at.isInserted(again.Functions[next].Start) {
			next++
		}
		f := &script.Functions[i]
		if next == len(again.Functions) {
			return differs(f.Start, "a function is gone")
		}
		if trouble := v.function(f, &again.Functions[next], e.begun[i], e.returns[i]); trouble != "" {
			return differs(f.Start, trouble)
		}
		next++
	}
	for ; next < len(again.Functions); next++ {
		if start := again.Functions[next].Start; !at.isInserted(start) {
			return differs(at.origin(start), "a function is new")
		}
	}
	return nil
}

func differs(offset int, how string) *jsscan.SyntaxError {
	return &jsscan.SyntaxError{Offset: offset, Msg: "checks would change the structure of the program (" + how + "); please report this"}
}

// verifier compares places of the source with places of the result.
type verifier struct {
	*positions
	near int // the insertion that was looked up last
}

// moved returns where in the result something is that begins at a place of the
// source: after everything that was inserted there.
func (v *verifier) moved(offset int) int {
	v.near = v.before(v.near, offset+1)
	return offset + int(v.inserted[v.near])
}

// topLevel reports whether the top level has the statements and loops that it should
// have, and how many were inserted.
func (v *verifier) topLevel(script, again *jsscan.Script, e *emitter) (inserted int, ok bool) {
	inserted = e.topBegun
	if e.top != "" {
		// After a hashbang, and the semicolon that a directive lacks.
		prologue, err := jsscan.Scan([]byte(e.top), jsscan.Options{Goal: script.Goal})
		if err != nil {
			return inserted, false
		}
		inserted += prologue.Begun
	}
	if script.Begun+inserted != again.Begun || script.Goal != again.Goal {
		return inserted, false
	}
	next := 0
	for i := range script.Loops {
		for next < len(again.Loops) && v.isInserted(again.Loops[next].Start) {
			next++
		}
		if next == len(again.Loops) || !v.sameLoop(&script.Loops[i], &again.Loops[next]) {
			return inserted, false
		}
		next++
	}
	return inserted, true
}

// function compares one function and returns what differs.
func (v *verifier) function(f, now *jsscan.Function, begun, returns int) string {
	switch {
	case f.Kind != now.Kind || f.Async != now.Async || f.Generator != now.Generator || f.Strict != now.Strict || v.moved(f.Start) != now.Start:
		return "a function is not the same"
	case f.Begun+begun != now.Begun:
		return fmt.Sprintf("%d statements of a function became %d", f.Begun+begun, now.Begun)
	case len(f.Returns)+returns != len(now.Returns):
		return "a return is not the same"
	case len(f.Suspends) != len(now.Suspends):
		return "a yield or await is not the same"
	case len(f.Loops) != len(now.Loops):
		return "a loop is not the same"
	case v.origin(now.End) != f.End:
		return "a function does not end where it did"
	}
	for i := range f.Returns {
		if r, n := &f.Returns[i], &now.Returns[i]; v.moved(r.Start) != n.Start || v.origin(max(n.Keyword, n.ArgEnd)) != max(r.Keyword, r.ArgEnd) {
			return "a return is not the same"
		}
	}
	for i := range f.Suspends {
		if s, n := &f.Suspends[i], &now.Suspends[i]; v.moved(s.Start) != n.Start || v.origin(max(n.Keyword, n.ArgEnd)) != max(s.Keyword, s.ArgEnd) || s.Delegates != n.Delegates {
			return "a yield or await is not the same"
		}
	}
	for i := range f.Loops {
		if !v.sameLoop(&f.Loops[i], &now.Loops[i]) {
			return "a loop is not the same"
		}
	}
	return ""
}

func (v *verifier) sameLoop(l, now *jsscan.Loop) bool {
	return l.Kind == now.Kind && v.moved(l.Start) == now.Start && v.sameEnd(l.BodyEnd, now.BodyEnd) && v.sameEnd(l.End, now.End)
}

// sameEnd reports whether a statement ends where it did, or at a semicolon that was
// inserted after it.
func (v *verifier) sameEnd(end, now int) bool {
	at := v.origin(now)
	return at == end || at > end && v.isInserted(now-1)
}

// isInserted reports whether a place of the result was inserted.
func (p *positions) isInserted(offset int) bool {
	i := p.lastInsertion(offset)
	return i >= 0 && offset < p.edits[i].Output+len(p.edits[i].Text)
}

// origin returns where in the source a place of the result comes from, or where it
// was inserted.
func (p *positions) origin(offset int) int {
	i := p.lastInsertion(offset)
	if i < 0 {
		return offset
	}
	return p.edits[i].Offset + max(0, offset-p.edits[i].Output-len(p.edits[i].Text))
}

// lastInsertion returns the last insertion that begins at or before a place of the
// result, or -1.
func (p *positions) lastInsertion(offset int) int {
	low, high := 0, len(p.edits)
	for low < high {
		if middle := (low + high) / 2; p.edits[middle].Output <= offset {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low - 1
}

// begins counts statements inserted into the current function.
func (e *emitter) begins(n int) {
	if e.at >= 0 {
		e.begun[e.at] += n
	} else {
		e.topBegun += n
	}
}

// beginsHead counts those of a head, see emitter.head.
func (e *emitter) beginsHead(f *jsscan.Function, d decision) {
	switch {
	case e.declaresValue(f, d):
		e.begins(1)
	case d.sites&functable.Entry != 0:
		e.begins(e.statements)
	}
	if d.binds {
		e.begins(1)
	}
}
