package gecko

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/fieldprof/fieldprof/profile"
)

// rootScope begins the names that the Firefox Profiler gives to the code of
// scripts outside functions.
const rootScope = "(root scope) "

// complete finds the beginning of a position whose file is a URL or an absolute path: app.js:10 and std::sort have no scheme.
var complete = regexp.MustCompile(` \((/|[A-Za-z][A-Za-z0-9+.-]*:[^0-9:])`)

// location is what Gecko calls a function by:
//
//	parse (https://a.example/app.js:10:3)     where the function is defined
//	https://a.example/app.js:1:1              the code of a script outside functions
//	js::RunScript                             a label, or native code
func location(f profile.Function) string {
	switch {
	case f.Flags&(profile.Pseudo|profile.NativeCode) != 0 || f.File == "":
		return shownName(f)
	case f.Flags&profile.TopLevel != 0 && f.Name == "":
		return positionText(f)
	}
	return shownName(f) + " (" + positionText(f) + ")"
}

func positionText(f profile.Function) string {
	text := f.File + ":" + strconv.Itoa(int(f.Line))
	if f.Column > 0 {
		text += ":" + strconv.Itoa(int(f.Column))
	}
	return text
}

// shownName is never empty.
func shownName(f profile.Function) string {
	switch {
	case f.Name != "":
		return f.Name
	case f.Flags&profile.TopLevel != 0:
		return rootScope + f.File
	}
	return profile.DisplayAnonymous
}

// parseLocation is the inverse, for locations that others write, too.
func parseLocation(text string) (f profile.Function, js bool) {
	name, rest, numbered := "", text, false
	if i := strings.LastIndexByte(rest, '['); i > 0 && strings.HasSuffix(rest, "]") && isNumber(rest[i+1:len(rest)-1]) {
		rest, numbered = rest[:i], true // which source it is, in newer versions
	}
	if strings.HasPrefix(text, "0x") {
		return profile.Function{Name: text, Flags: profile.NativeCode}, false
	}
	if inside, ok := strings.CutSuffix(rest, ")"); ok {
		// A name may have parentheses of its own, and so may a path.
		i := complete.FindStringIndex(inside)
		if i == nil {
			last := strings.LastIndex(inside, " (")
			if last < 0 {
				return label(text), false
			}
			if strings.HasPrefix(inside[last+2:], "in ") {
				return profile.Function{Name: inside[:last], File: inside[last+5:], Flags: profile.NativeCode}, false
			}
			i = []int{last}
		}
		name, rest = inside[:i[0]], inside[i[0]+2:]
	}
	file, line, column := splitPosition(rest)
	if line < 0 && numbered && name == "" {
		line = 0 // only scripts have numbers
	}
	if line < 0 || file == "" {
		return label(text), false
	}
	if i := strings.LastIndex(file, " -> "); i >= 0 { // loader -> script
		file = file[i+4:]
	}
	f = profile.Function{Name: name, File: file, Line: line, Column: column}
	switch name {
	case "":
		f.Flags = profile.TopLevel
	case profile.DisplayAnonymous, "anonymous":
		f.Name = ""
	}
	return f, true
}

// isBrowsers reports whether a script is part of the browser.
func isBrowsers(file string) bool {
	for _, scheme := range []string{"resource:", "chrome:", "moz-src:", "moz-extension:", "self-hosted"} {
		if strings.HasPrefix(file, scheme) {
			return true
		}
	}
	return false
}

// label is code that is no script's.
func label(name string) profile.Function {
	if profile.IsPseudoName(name) {
		return profile.Function{Name: name, Flags: profile.Pseudo}
	}
	return profile.Function{Name: name, Flags: profile.NativeCode}
}

// splitPosition takes file:line or file:line:column apart; the line is −1 when it
// is neither.
func splitPosition(text string) (file string, line, column int32) {
	file, last, ok := cutNumber(text)
	if !ok {
		return text, -1, 0
	}
	if before, first, ok := cutNumber(file); ok {
		return before, first, last
	}
	return file, last, 0
}

func cutNumber(text string) (before string, n int32, ok bool) {
	i := strings.LastIndexByte(text, ':')
	if i < 0 || !isNumber(text[i+1:]) {
		return text, 0, false
	}
	v, err := strconv.ParseInt(text[i+1:], 10, 64)
	if err != nil || v > math.MaxInt32 {
		v = 0
	}
	return text[:i], int32(v), true
}

func isNumber(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}
