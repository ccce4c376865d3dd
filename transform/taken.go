package transform

import (
	"bytes"

	"github.com/fieldprof/fieldprof/transform/internal/jsscan"
)

// Some functions exist only for their text, which will run in a worker or a frame,
// where a check would not find its bindings. The runtime returns such text without
// checks (runtime/src/core/text.ts), but it may be missing. So a function is left alone if
// its text is plainly taken in place, or if its name is used only once, to take its
// text. Nothing is lost, because it does not run here. A property of the same name is no use of it.
//
//	new Blob(["(" + function () { … } + ")()"])
//	(() => { … }).toString()
//	function body() { … } … body.toString()

// takings finds the functions of a source whose text is taken.
type takings struct {
	src      []byte
	named    map[string]bool // names that are turned into text
	patience int             // how many bytes uses may still search
}

func findTakings(src []byte) *takings {
	t := &takings{src: src, named: map[string]bool{}, patience: 32 * len(src)}
	for at := range occurrences(src, ".toString()") {
		t.takeBefore(at)
	}
	for at := range occurrences(src, "String(") {
		t.takeValue(at + len("String("))
	}
	for at := range occurrences(src, "+") {
		before, after := t.before(at), t.after(at+1)
		if before > 0 && isQuote(src[before-1]) {
			t.takeValue(after)
		}
		if after < len(src) && isQuote(src[after]) {
			t.takeBefore(before)
		}
	}
	return t
}

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// take notes a name. It does no harm if the name is not of a function.
func (t *takings) take(word []byte) {
	if len(word) > 0 && !t.named[string(word)] {
		t.named[string(word)] = true
	}
}

// takeBefore notes the name that ends at an offset, unless it is a member's.
func (t *takings) takeBefore(end int) {
	word := t.wordBefore(end)
	before := t.src[:t.before(end-len(word))]
	if !bytes.HasSuffix(before, []byte(".")) || bytes.HasSuffix(before, []byte("...")) {
		t.take(word)
	}
}

// takeValue notes the name at an offset, unless the code after it calls the function or uses a member.
func (t *takings) takeValue(at int) {
	if word := t.wordAfter(at); !t.isUsed(t.after(at + len(word))) {
		t.take(word)
	}
}

// uses counts the occurrences of a name, up to three. Searching for very many names
// would take quadratic time, so beyond a limit they count as used, which costs nothing
// where there is a runtime.
func (t *takings) uses(name string) int {
	n := 0
	for at := 0; n < 3; at += len(name) {
		if t.patience < 0 {
			return 3
		}
		i := bytes.Index(t.src[at:], []byte(name))
		if i < 0 {
			t.patience -= len(t.src) - at
			break
		}
		t.patience -= i
		at += i
		if end := at + len(name); (at == 0 || !isNamePart(t.src[at-1])) && (end == len(t.src) || !isNamePart(t.src[end])) {
			n++
		}
	}
	return n
}

// taken reports whether the text of a function is taken where it is written, or by
// the only other use of its name.
func (t *takings) taken(f *jsscan.Function) bool {
	switch f.Kind {
	case jsscan.Declaration:
		return t.named[f.Name] && t.uses(f.Name) == 2
	case jsscan.Expression, jsscan.Arrow:
		return t.takenInPlace(f.Start, f.End)
	}
	return false
}

// takenInPlace looks around a function and the parentheses that enclose it.
func (t *takings) takenInPlace(start, end int) bool {
	before, after := t.before(start), t.after(end)
	for {
		rest := t.src[after:]
		switch {
		case bytes.HasPrefix(rest, []byte(".toString()")):
			return true
		case t.isUsed(after):
			return false
		case bytes.HasPrefix(rest, []byte("+")) && !bytes.HasPrefix(rest, []byte("++")):
			return true
		case before > 1 && t.src[before-1] == '+' && t.src[before-2] != '+' && t.operand(before-1):
			return true
		case before > 1 && bytes.HasPrefix(rest, []byte("}")) && string(t.src[before-2:before]) == "${":
			return true
		case before == 0 || t.src[before-1] != '(' || !bytes.HasPrefix(rest, []byte(")")):
			return false
		}
		// It is the argument of a call, which counts only if the call is String.
		if word := t.wordBefore(before - 1); len(word) > 0 {
			return string(word) == "String"
		}
		before, after = t.before(before-1), t.after(after+1)
	}
}

// isUsed reports whether the value that ends before an offset is called, or a member of it
// is used.
func (t *takings) isUsed(after int) bool {
	return after < len(t.src) && bytes.IndexByte([]byte("(.[`"), t.src[after]) >= 0
}

// operand reports whether an operand ends before an offset, so that the plus there
// is binary.
func (t *takings) operand(at int) bool {
	at = t.before(at)
	if at == 0 {
		return false
	}
	c := t.src[at-1]
	return isQuote(c) || c == ')' || c == '}' || c == ']' || isNamePart(c) && !bytes.HasSuffix(t.src[:at], []byte("return"))
}

// before and after skip white space.
func (t *takings) before(at int) int { return len(bytes.TrimRight(t.src[:at], " \t\r\n")) }
func (t *takings) after(at int) int {
	return len(t.src) - len(bytes.TrimLeft(t.src[at:], " \t\r\n"))
}

func (t *takings) wordBefore(at int) []byte {
	end := at
	for at > 0 && isNamePart(t.src[at-1]) {
		at--
	}
	return t.src[at:end]
}

func (t *takings) wordAfter(at int) []byte {
	end := at
	for end < len(t.src) && isNamePart(t.src[end]) {
		end++
	}
	return t.src[at:end]
}
