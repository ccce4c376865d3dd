package jsscan

import (
	"bytes"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// White space and comments are gone, strings stay as they are, and so does what comes after the part.
func TestSpaceless(t *testing.T) {
	src := []byte("Object // (\n . keys (a\u2028, 'b /* c */') /* d */ . forEach ( function () {}")
	before := bytes.Clone(src)
	part := src[:bytes.Index(src, []byte("function"))]
	must.Equal(t, string(Spaceless(part)), "Object.keys(a,'b /* c */').forEach(")
	must.Equal(t, string(Spaceless([]byte("a ('b"))), "a(")
	must.Equal(t, string(src), string(before))
}
