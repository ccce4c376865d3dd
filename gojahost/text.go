package gojahost

import (
	"bytes"
	"sort"
	"strings"

	"github.com/dop251/goja"
)

// showSources makes Function.prototype.toString return the text of the source, because
// a function may be evaluated again from its text, where the bindings of its checks do
// not exist. In the web's runtime a pattern does this; here the host knows what was
// inserted where. The method looks as it did; if it cannot be replaced, it stays.
func (h *Host) showSources() {
	// The property of the intrinsic: scripts may have replaced the global Function.
	prototype := h.vm.ToValue(func() {}).ToObject(h.vm).Prototype()
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
			if source, ok := h.sourceOf(s); ok {
				return h.vm.ToValue(source)
			}
		}
		return text
	}
	shown = h.vm.ToValue(show).ToObject(h.vm)
	h.describe(shown, "name", "toString")
	// If this fails, a script has frozen the object.
	_ = prototype.DefineDataProperty("toString", shown, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
}

// sourceOf returns the source of an instrumented function's text: a stretch of a
// script's code without what was inserted there. Functions with the same text have the
// same source, except for a loop's braces, which may be inserted or the source's.
func (h *Host) sourceOf(text string) (string, bool) {
	if source, known := h.texts[text]; known {
		return source, source != text
	}
	source := text
	for _, s := range h.recording.compiled() {
		if s.Bindings.Flag == "" || !strings.Contains(text, s.Bindings.Flag) {
			continue
		}
		if at := bytes.Index(s.Code, []byte(text)); at >= 0 {
			source = s.without(at, at+len(text))
			break
		}
	}
	if len(h.texts) < maxTexts && len(text) <= maxText {
		h.texts[text] = source
	}
	return source, source != text
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
