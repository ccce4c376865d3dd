package transform

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"strconv"

	"github.com/fieldprof/fieldprof/runtime"
)

// Names chooses bindings that many sources can share: the classic scripts of a
// page live in one scope, where two choices of names could meet. Give it every
// source, then use what it chooses as Options.Bindings. The zero Names has seen
// nothing. It is not for use by many goroutines at once.
type Names struct {
	taken     map[string]bool // of the names that could be chosen
	disguised bool
}

// The first choice is the same for every file, since equal text compresses.
const (
	baseFlag          = "$f"
	baseCapture       = "$c"
	baseValue         = "$r"
	baseEntry         = "$e"
	baseLoop          = "$l"
	baseExit          = "$x"
	baseGlobalFlag    = "$flag"
	baseGlobalCapture = "$capture"
)

// secondLetters are those that follow the dollar of a base.
var secondLetters = []byte("fcrelx")

// rareSuffix makes a name that no one writes.
const rareSuffix = "$fieldprof"

// Avoid keeps Choose from names that src uses, be it inside a string, which may
// be evaluated.
func (n *Names) Avoid(src []byte) {
	for at := 0; ; at++ {
		i := bytes.IndexByte(src[at:], '$')
		if i < 0 {
			break
		}
		at += i
		n.avoidAt(src, at)
	}
	for at := 0; !n.disguised; at++ {
		i := bytes.Index(src[at:], []byte(`\u`))
		if i < 0 {
			break
		}
		at += i
		n.disguised = disguises(src, at)
	}
}

// avoidAt takes note of a name that begins with the dollar at an offset. Names
// are longer than a dollar and letters only by digits or the rare suffix.
func (n *Names) avoidAt(src []byte, at int) {
	if at+1 == len(src) || bytes.IndexByte(secondLetters, src[at+1]) < 0 {
		return // nothing to choose begins so
	}
	if at > 0 && isNamePart(src[at-1]) && !escaped(src[:at]) {
		return // the middle of a name
	}
	end := at + 1
	for end < len(src) && end < at+longestName && isNamePart(src[end]) {
		end++
	}
	if n.taken[string(src[at:end])] {
		return // known, and found without a copy
	}
	if n.taken == nil {
		n.taken = map[string]bool{}
	}
	n.taken[string(src[at:end])] = true
}

// Join keeps Choose from all names that other was given.
func (n *Names) Join(other *Names) {
	if n.taken == nil && len(other.taken) > 0 {
		n.taken = map[string]bool{}
	}
	maps.Copy(n.taken, other.taken)
	n.disguised = n.disguised || other.disguised
}

// longestName is longer than any name that Choose gives.
const longestName = 40

// escaped reports whether an escape ends b, as in "\n$f", where what looks like
// the part of a name before is none.
func escaped(b []byte) bool {
	for i := len(b) - 1; i >= 0 && i >= len(b)-6; i-- {
		if b[i] == '\\' {
			return true
		}
	}
	return false
}

// disguises reports whether the \u at an offset may spell part of a name, all of
// which are a dollar and ASCII behind it.
func disguises(src []byte, at int) bool {
	digits := src[at+2:]
	if len(digits) > 0 && digits[0] == '{' {
		digits = bytes.TrimLeft(digits[1:], "0")
		end := bytes.IndexByte(digits[:min(len(digits), 3)], '}')
		if end < 0 {
			return false
		}
		digits = digits[:end]
	} else if len(digits) < 4 || digits[0] != '0' || digits[1] != '0' {
		return false
	} else {
		digits = digits[2:4]
	}
	code, err := strconv.ParseUint(string(digits), 16, 8)
	if err != nil {
		return false
	}
	if code == '$' {
		return true
	}
	if !isNamePart(byte(code)) {
		return false
	}
	start := at
	for start > 0 && start > at-longestName && isNamePart(src[start-1]) && src[start-1] != '$' {
		start--
	}
	return start > 0 && src[start-1] == '$'
}

func isNamePart(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '$'
}

// Choose returns names that are absent from all sources so far.
func (n *Names) Choose() runtime.Bindings {
	return runtime.Bindings{
		Flag:          n.absent(baseFlag),
		Capture:       n.absent(baseCapture),
		Value:         n.absent(baseValue),
		Entry:         n.absent(baseEntry),
		Loop:          n.absent(baseLoop),
		Exit:          n.absent(baseExit),
		GlobalFlag:    n.absent(baseGlobalFlag),
		GlobalCapture: n.absent(baseGlobalCapture),
	}
}

// absent returns name, or name with the first number that makes it absent.
// Sources that may hold names in disguise get names with the rare suffix.
func (n *Names) absent(name string) string {
	if n.disguised {
		name += rareSuffix
	}
	candidate := name
	for i := 1; n.taken[candidate]; i++ {
		candidate = name + strconv.Itoa(i)
	}
	return candidate
}

// bindings are the names for one source: those of the options, which must be
// absent from it, or the first that are.
func (o *Options) bindings(src []byte) (runtime.Bindings, error) {
	if o.Bindings == nil {
		var n Names
		n.Avoid(src)
		return n.Choose(), nil
	}
	for _, name := range usedNames(o.Target, o.Form, *o.Bindings) {
		if usesName(src, name) {
			return runtime.Bindings{}, fmt.Errorf("the name %s of Bindings stands in %s: choose names with Names, which is given every source first", name, o.name())
		}
	}
	return *o.Bindings, nil
}

// usesName reports whether a name stands in src, not within a longer one.
func usesName(src []byte, name string) bool {
	for at := 0; ; at++ {
		i := bytes.Index(src[at:], []byte(name))
		if i < 0 {
			return false
		}
		at += i
		end := at + len(name)
		if (at == 0 || !isNamePart(src[at-1]) || escaped(src[:at])) && (end == len(src) || !isNamePart(src[end])) {
			return true
		}
	}
}

// usedNames are the names that a target and form need.
func usedNames(target Target, form Form, b runtime.Bindings) []string {
	switch {
	case target == Goja:
		return []string{b.Flag, b.Capture, b.Value, b.GlobalFlag, b.GlobalCapture}
	case form == Compact:
		return []string{b.Entry, b.Loop, b.Exit}
	}
	return []string{b.Flag, b.Capture, b.Value}
}

var plainName = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`)

// checkBindings finds fault with names that are none, or not different.
func (o *Options) checkBindings() error {
	if o.Bindings == nil {
		return nil
	}
	seen := map[string]bool{}
	for _, name := range usedNames(o.Target, o.Form, *o.Bindings) {
		if !plainName.MatchString(name) {
			return fmt.Errorf("%q of Bindings is no name to bind (ASCII letters, digits, _ and $)", name)
		}
		if seen[name] {
			return fmt.Errorf("the name %s of Bindings is there twice", name)
		}
		seen[name] = true
	}
	return nil
}
