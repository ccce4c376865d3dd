package transform

import (
	"bytes"
	"fmt"
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

var bases = [...]string{baseFlag, baseCapture, baseValue, baseEntry, baseLoop, baseExit, baseGlobalFlag, baseGlobalCapture}

// rareSuffix makes a name that no one writes.
const rareSuffix = "$fieldprof"

// Avoid keeps Choose from names that stand anywhere in src, even inside
// strings (which may be evaluated) or longer names.
func (n *Names) Avoid(src []byte) {
	for at := 0; ; at++ {
		i := bytes.IndexByte(src[at:], '$')
		if i < 0 {
			break
		}
		at += i
		n.avoidAt(src[at:])
	}
	// An escape can spell a name in disguise. Where it spells the dollar:
	for at := 0; !n.disguised; at++ {
		i := bytes.Index(src[at:], []byte(`\u`))
		if i < 0 {
			break
		}
		at += i
		digits := src[at+2:]
		if braced, ok := bytes.CutPrefix(digits, []byte("{")); ok {
			n.disguised = bytes.HasPrefix(bytes.TrimLeft(braced, "0"), []byte("24}"))
		} else {
			n.disguised = bytes.HasPrefix(digits, []byte("0024"))
		}
	}
}

// avoidAt takes note of the names that begin with the dollar at the start of b.
func (n *Names) avoidAt(b []byte) {
	for _, base := range bases {
		rest, found := bytes.CutPrefix(b, []byte(base))
		if !found {
			continue
		}
		n.avoid(base, rest)
		if rest, found = bytes.CutPrefix(rest, []byte(rareSuffix)); found {
			n.avoid(base+rareSuffix, rest)
		}
	}
	// Where an escape spells what follows the dollar:
	i := 1
	for i < len(b) && isNamePart(b[i]) {
		i++
	}
	n.disguised = n.disguised || bytes.HasPrefix(b[i:], []byte(`\u`))
}

// avoid takes note of a name and, of the digits behind it, of each number that
// they begin with.
func (n *Names) avoid(name string, rest []byte) {
	if n.taken == nil {
		n.taken = map[string]bool{}
	}
	n.taken[name] = true
	for i := 0; i < len(rest) && i < 9 && '0' <= rest[i] && rest[i] <= '9'; i++ {
		n.taken[name+string(rest[:i+1])] = true
	}
}

func isNamePart(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
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
// Sources that hold names in disguise get names with the rare suffix.
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
		if bytes.Contains(src, []byte(name)) {
			return runtime.Bindings{}, fmt.Errorf("the name %s of Bindings stands in %s: choose names with Names, which is given every source first", name, o.name())
		}
	}
	return *o.Bindings, nil
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
			return fmt.Errorf("Bindings: %q is no name to bind (ASCII letters, digits, _ and $)", name)
		}
		if seen[name] {
			return fmt.Errorf("Bindings: the name %s is given twice", name)
		}
		seen[name] = true
	}
	return nil
}
