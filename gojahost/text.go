package gojahost

import (
	"bytes"
	"sort"
	"strings"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/transform"
)

// showSources lets Function.prototype.toString give the source's text, since a
// function may be evaluated anew from its text, where the bindings of its checks do
// not exist. In the web's runtime a pattern does this; here the host knows what was
// inserted where. The method looks as it did; one that cannot be replaced stays.
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
	// Where it fails a script has frozen the object.
	_ = prototype.DefineDataProperty("toString", shown, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
}

// sourceOf returns the source of an instrumented function's text: a stretch of the
// code of a script, less what was inserted there. Two functions of one text have one
// source, but for a loop's braces, which may be the source's or ours.
func (h *Host) sourceOf(text string) (string, bool) {
	if source, known := h.texts[text]; known {
		return source, source != text
	}
	source := text
	for _, s := range h.scripts {
		if s.flag == "" || !strings.Contains(text, s.flag) {
			continue
		}
		if at := bytes.Index(s.code, []byte(text)); at >= 0 {
			source = s.without(at, at+len(text))
			break
		}
	}
	if len(h.texts) < maxTexts && len(text) <= maxText {
		h.texts[text] = source
	}
	return source, source != text
}

// Texts that are remembered: so many, each at most so large.
const (
	maxTexts = 1 << 12
	maxText  = 1 << 14
)

// without is a stretch of the code less what was inserted.
func (s *script) without(from, to int) string {
	var b strings.Builder
	first := sort.Search(len(s.insertions), func(i int) bool { return s.insertions[i].Offset >= from })
	for _, i := range s.insertions[first:] {
		if i.Offset >= to {
			break
		}
		b.Write(s.code[from:i.Offset])
		from = min(i.Offset+i.Length, to)
	}
	b.Write(s.code[from:to])
	return b.String()
}

// remember keeps of a compiled script what sourceOf looks at.
func (s *script) remember(result *transform.Result) {
	s.insertions, s.flag = result.Insertions, result.Bindings.Flag
}
