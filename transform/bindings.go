package transform

import (
	"bytes"
	"strconv"

	"github.com/fieldprof/fieldprof/runtime"
)

// chooseBindings picks names that stand nowhere in the source, not even inside
// strings (which may be evaluated) or longer names. The first choice is the
// same for every file, since equal text compresses.
func chooseBindings(src []byte) runtime.Bindings {
	return runtime.Bindings{
		Flag:          absent(src, "$f"),
		Capture:       absent(src, "$c"),
		Value:         absent(src, "$r"),
		GlobalFlag:    absent(src, "$flag"),
		GlobalCapture: absent(src, "$capture"),
	}
}

// absent returns name, or name with the first number that makes it absent.
// A source that spells `$` or a letter of an identifier as an escape (\u0024f)
// could still hold the name in disguise, so such a source gets names with a
// suffix no one writes.
func absent(src []byte, name string) string {
	if bytes.Contains(src, []byte(`\u0024`)) || bytes.Contains(src, []byte(`\u{`)) {
		name += "$fieldprof"
	}
	candidate := name
	for n := 1; bytes.Contains(src, []byte(candidate)); n++ {
		candidate = name + strconv.Itoa(n)
	}
	return candidate
}
