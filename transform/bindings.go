package transform

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/transform/internal/jsscan"
)

// Names chooses bindings that many sources can share: the classic scripts of a
// page share one scope, where two choices of names could collide. Pass it every
// source, then use its choice as Options.Bindings. The zero Names has seen no source.
// It is not safe for concurrent use.
type Names struct {
	taken     map[string]bool // of the names that could be chosen
	disguised bool
}

// A name is a prefix, a letter or word, and a suffix that makes it absent from the
// source. The first choice has no suffix and is the same for every file, because equal
// text compresses. The names of a classic script are globals, which other scripts of
// the page may declare too, so they have an unusual prefix. It is short: each check has the
// flag three times. A module, a CommonJS body, a large function of a script that gets
// parameters, and a function of goja have a scope of their own.
//
// All names of a source have one suffix: runtime/src/core/text.ts, which finds one of
// them in a function's text, then knows the others.
//
// The first three are recognizable by how checks use them; e, l and x are called like
// any function, so they must be names that no other code is likely to use.
const (
	globalPrefix = "_$"
	localPrefix  = "$"
	calledPrefix = "$_"
	gojaPrefix   = "__fp"
)

// lastLetters follow a prefix: of flag, capture, value, entry, loop and exit.
var lastLetters = []byte("fcrelx")

// rareSuffix makes a name that does not occur in practice.
const rareSuffix = "_fieldprof"

// Avoid keeps Choose from names that src uses, even inside a string, which may be
// evaluated.
func (n *Names) Avoid(src []byte) {
	for _, prefix := range []string{localPrefix, calledPrefix, globalPrefix, gojaPrefix} {
		for at := range occurrences(src, prefix) {
			n.avoidAt(src, at, len(prefix))
		}
	}
	for _, spelling := range []string{`\x24`, `\x5f`, `\x5F`, `\44`, `\137`} { // $ and _ in a string
		n.disguised = n.disguised || bytes.Contains(src, []byte(spelling))
	}
	for at := range occurrences(src, `\u`) {
		if n.disguised = n.disguised || disguises(src, at); n.disguised {
			break
		}
	}
}

// occurrences yields where a text occurs in a source.
func occurrences(src []byte, text string) iter.Seq[int] {
	return func(yield func(at int) bool) {
		for at := 0; ; at++ {
			i := bytes.Index(src[at:], []byte(text))
			if at += i; i < 0 || !yield(at) {
				return
			}
		}
	}
}

// avoidAt notes the name that begins with a prefix at an offset.
func (n *Names) avoidAt(src []byte, at, prefix int) {
	if at+prefix == len(src) || bytes.IndexByte(lastLetters, src[at+prefix]) < 0 {
		return // no name to choose begins like this
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

// Join keeps Choose from all names that other knows.
func (n *Names) Join(other *Names) {
	if n.taken == nil && len(other.taken) > 0 {
		n.taken = map[string]bool{}
	}
	maps.Copy(n.taken, other.taken)
	n.disguised = n.disguised || other.disguised
}

// longestName is longer than any name that Choose gives.
const longestName = 40

// escaped reports whether b ends in an escape, as before $f in "\n$f", where the n
// is not part of the name.
func escaped(b []byte) bool {
	for i := len(b) - 1; i >= 0 && i >= len(b)-6; i-- {
		if b[i] == '\\' {
			return true
		}
	}
	return false
}

// disguises reports whether the \u at an offset may spell part of a name to
// choose: a dollar or an underscore that may begin one, or what comes after.
func disguises(src []byte, at int) bool {
	code, end := spelled(src, at)
	switch {
	case code == '$':
		return true
	case code == '_':
		if next, _ := spelled(src, end); next == '_' {
			return true
		}
		return src[max(at, 1)-1] == '_' || bytes.HasPrefix(src[end:], []byte("_")) || bytes.HasPrefix(src[end:], []byte("$"))
	case !isNamePart(code):
		return false
	}
	start := at
	for start > 0 && start > at-longestName && isNamePart(src[start-1]) && src[start-1] != '$' {
		start--
	}
	return start > 0 && src[start-1] == '$' || bytes.HasPrefix(src[start:at], []byte("__"))
}

// spelled returns the ASCII character that the escape at an offset spells, and the
// escape's end; the character is 0 if there is no escape.
func spelled(src []byte, at int) (code byte, end int) {
	digits, found := bytes.CutPrefix(src[at:], []byte(`\u`))
	if !found {
		return 0, at
	}
	if len(digits) > 0 && digits[0] == '{' {
		zeros := len(digits[1:]) - len(bytes.TrimLeft(digits[1:], "0"))
		digits = digits[1+zeros:]
		closing := bytes.IndexByte(digits[:min(len(digits), 3)], '}')
		if closing < 0 {
			return 0, at
		}
		digits, end = digits[:closing], at+3+zeros+closing+1
	} else if len(digits) < 4 || digits[0] != '0' || digits[1] != '0' {
		return 0, at
	} else {
		digits, end = digits[2:4], at+6
	}
	value, err := strconv.ParseUint(string(digits), 16, 8)
	if err != nil {
		return 0, at
	}
	return byte(value), end
}

func isNamePart(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '$'
}

// Choose returns names for classic scripts that are absent from all sources so
// far.
func (n *Names) Choose() runtime.Bindings { return globals(n.suffix()) }

// suffix returns the first suffix that makes all names absent, with either prefix.
// Sources that may spell names with escapes get the rare one.
func (n *Names) suffix() string {
	rare := ""
	if n.disguised {
		rare = rareSuffix
	}
	suffix := rare
	for i := 1; n.takes(globals(suffix)) || n.takes(locals(suffix)); i++ {
		suffix = rare + strconv.Itoa(i)
	}
	return suffix
}

// globals are names for the scope that scripts share, but for the value's: functions declare it.
func globals(suffix string) runtime.Bindings {
	b := named(globalPrefix, globalPrefix, suffix)
	b.Value = locals(suffix).Value
	return b
}

func locals(suffix string) runtime.Bindings { return named(localPrefix, calledPrefix, suffix) }

func named(prefix, called, suffix string) runtime.Bindings {
	return runtime.Bindings{
		Flag:          prefix + "f" + suffix,
		Capture:       prefix + "c" + suffix,
		Value:         prefix + "r" + suffix,
		Entry:         called + "e" + suffix,
		Loop:          called + "l" + suffix,
		Exit:          called + "x" + suffix,
		GlobalFlag:    gojaPrefix + "flag" + suffix,
		GlobalCapture: gojaPrefix + "capture" + suffix,
	}
}

// takes reports whether a source uses one of the names.
func (n *Names) takes(b runtime.Bindings) bool {
	names := []string{b.Flag, b.Capture, b.Value, b.Entry, b.Loop, b.Exit, b.GlobalFlag, b.GlobalCapture}
	return slices.ContainsFunc(names, func(name string) bool { return n.taken[name] })
}

// naming is the names for one source.
type naming struct {
	outer runtime.Bindings
	// inner are the names that large functions of a classic script get as parameters, or nil.
	inner *runtime.Bindings
	// setsGlobal says that outer are globals though the source is a module.
	setsGlobal bool
}

// fewestBound is how many functions with checks a function's body must contain for it
// to get the names as parameters: with fewer, they cost more bytes than they save, and time
// if the function is called often.
const fewestBound = 16

// naming chooses the names for one source: those of the options for a classic
// script or for goja, which must be absent from it, else the first absent ones.
func (o *Options) naming(src []byte, goal jsscan.Goal) (naming, error) {
	names, err := o.sharedNaming(src, goal)
	if o.Train && o.Target == Web && goal == jsscan.AsScript {
		return naming{outer: ofUnit(names.outer, o.Hash)}, err
	}
	return names, err
}

func (o *Options) sharedNaming(src []byte, goal jsscan.Goal) (naming, error) {
	setsGlobal := o.setsGlobal(src, goal)
	own := o.Target == Goja || goal != jsscan.AsScript && !setsGlobal
	if o.Bindings == nil || own && o.Target == Web {
		var n Names
		n.Avoid(src)
		local := locals(n.suffix())
		switch {
		case own:
			return naming{outer: local}, nil
		case setsGlobal:
			return naming{outer: n.Choose(), setsGlobal: true}, nil
		}
		return naming{outer: n.Choose(), inner: &local}, nil
	}
	if setsGlobal {
		return naming{outer: *o.Bindings, setsGlobal: true}, nil
	}
	if name := o.usedIn(src, *o.Bindings); name != "" {
		return naming{}, fmt.Errorf("%s uses the name %s of Bindings: choose names with Names, which is given every source first", o.name(), name)
	}
	return naming{outer: *o.Bindings, inner: o.inner(src)}, nil
}

// setsGlobal reports whether a source is a module that reads the flag from the global that classic
// scripts have, which engines read faster than a constant of the module: Firefox in half the time. It must
// find a runtime, and none of its functions may run before its body has set the global.
func (o *Options) setsGlobal(src []byte, goal jsscan.Goal) bool {
	if goal != jsscan.AsModule || o.Target != Web || !o.Preloaded || !o.Acyclic || o.Form != Inline || o.Train || declaresGlobal(src) {
		return false
	}
	return o.Bindings == nil || o.usedIn(src, *o.Bindings) == ""
}

// inner returns the local names that go with the options' names, or nil if the options' names
// did not come from Choose or the source uses the local names.
func (o *Options) inner(src []byte) *runtime.Bindings {
	suffix, ok := strings.CutPrefix(cmp.Or(o.Bindings.Flag, o.Bindings.Entry), globalPrefix)
	if !ok || suffix == "" || o.Target == Goja {
		return nil
	}
	suffix = suffix[1:]
	local := locals(suffix)
	if !slices.Equal(usedNames(o.Target, o.Form, *o.Bindings), usedNames(o.Target, o.Form, globals(suffix))) || o.usedIn(src, local) != "" {
		return nil
	}
	return &local
}

// usedIn returns the first name that the target and form need and src uses, or "".
func (o *Options) usedIn(src []byte, b runtime.Bindings) string {
	for _, name := range usedNames(o.Target, o.Form, b) {
		if usesName(src, name) {
			return name
		}
	}
	return ""
}

// usesName reports whether src has a name that is not part of a longer one.
func usesName(src []byte, name string) bool {
	for at := range occurrences(src, name) {
		end := at + len(name)
		if (at == 0 || !isNamePart(src[at-1]) || escaped(src[:at])) && (end == len(src) || !isNamePart(src[end])) {
			return true
		}
	}
	return false
}

// usedNames are the names that a target and form need.
func usedNames(target Target, form Form, b runtime.Bindings) []string {
	switch {
	case target == Goja:
		return []string{b.Flag, b.Capture, b.Value, b.GlobalFlag, b.GlobalCapture}
	case form == Compact:
		return []string{b.Entry, b.Loop, b.Exit}
	}
	return []string{b.Flag, b.Value}
}

var plainName = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`)

// checkBindings rejects names that are not identifiers or not distinct.
func (o *Options) checkBindings() error {
	if o.Bindings == nil {
		return nil
	}
	seen := map[string]bool{}
	for _, name := range usedNames(o.Target, o.Form, *o.Bindings) {
		if !plainName.MatchString(name) {
			return fmt.Errorf("%q of Bindings is not a name to bind (ASCII letters, digits, _ and $)", name)
		}
		if seen[name] {
			return fmt.Errorf("the name %s occurs twice in Bindings", name)
		}
		seen[name] = true
	}
	return nil
}
