package gojahost

import (
	"bytes"
	"slices"
	"sort"
	"strings"
	"weak"

	"github.com/dop251/goja"
)

// sources has the functions of a runtime show the texts of their sources. The runtime keeps
// it, from one host to the next.
type sources struct {
	host  *Host                     // that the runtime has: it lives as long as the runtime
	by    []weak.Pointer[recording] // of all hosts that it had
	known map[string]string         // from a function's text to its source
}

// showSources makes Function.prototype.toString return the text of the source, because
// a function may be evaluated again from its text, where the bindings of its checks do
// not exist. In the web's runtime a pattern does this; here the host knows what was
// inserted where.
func (h *Host) showSources() {
	s := h.claim.sources.Value()
	if s == nil {
		s = &sources{known: map[string]string{}}
		h.replaceToString(s)
		h.claim.sources = weak.Make(s)
	}
	s.host = h
	mine := weak.Make(h.recording)
	s.by = append(slices.DeleteFunc(s.by, func(r weak.Pointer[recording]) bool { return r == mine || r.Value() == nil }), mine)
}

// letGo lets the host go when it is closed. Its functions still show their sources.
func (h *Host) letGo() {
	if s := h.claim.sources.Value(); s != nil {
		s.host = nil
	}
}

// replaceToString puts a method in the place of toString that looks as it did. If that cannot
// be replaced, it stays. The method outlives the host.
func (h *Host) replaceToString(by *sources) {
	// The property of the intrinsic: scripts may have replaced the global Function.
	vm := h.vm
	prototype := vm.ToValue(func() {}).ToObject(vm).Prototype()
	value := prototype.Get("toString")
	before, ok := goja.AssertFunction(value)
	if !ok {
		return
	}
	var shown *goja.Object
	show := func(c goja.FunctionCall) goja.Value {
		this := c.This
		if this == shown {
			this = value
		}
		text, err := before(this)
		if err != nil {
			panic(err)
		}
		if s, ok := text.Export().(string); ok {
			if source, ok := by.of(s); ok {
				return vm.ToValue(source)
			}
		}
		return text
	}
	shown = vm.ToValue(show).ToObject(vm)
	h.describe(shown, "name", "toString")
	// If this fails, a script has frozen the object.
	_ = prototype.DefineDataProperty("toString", shown, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
}

// of returns the source of an instrumented function's text: a stretch of a
// script's code without what was inserted there. Functions with the same text have the
// same source, except for a loop's braces, which may be inserted or the source's.
func (l *sources) of(text string) (string, bool) {
	if source, known := l.known[text]; known {
		return source, source != text
	}
	source := text
	for _, s := range l.scripts() {
		if s.Bindings.Flag == "" || !strings.Contains(text, s.Bindings.Flag) {
			continue
		}
		if at := bytes.Index(s.Code, []byte(text)); at >= 0 {
			source = s.without(at, at+len(text))
			break
		}
	}
	if len(l.known) < maxTexts && len(text) <= maxText {
		l.known[text] = source
	}
	return source, source != text
}

// scripts are those that the runtime may have.
func (l *sources) scripts() (all []*script) {
	for _, by := range l.by {
		if r := by.Value(); r != nil {
			all = append(all, r.compiled()...)
		}
	}
	return all
}

// Bounds of the texts that are remembered: their number, and the size of each.
const (
	maxTexts = 1 << 12
	maxText  = 1 << 14
)

// without returns a stretch of the code without what was inserted.
func (s *script) without(from, to int) string {
	var b strings.Builder
	first := sort.Search(len(s.Insertions), func(i int) bool { return s.Insertions[i].Offset >= from })
	for _, i := range s.Insertions[first:] {
		if i.Offset >= to {
			break
		}
		b.Write(s.Code[from:i.Offset])
		from = min(i.Offset+i.Length, to)
	}
	b.Write(s.Code[from:to])
	return b.String()
}
