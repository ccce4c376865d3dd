package profile

import (
	"math"
	"strconv"
	"strings"
)

// Label names a function in formats that have room for nothing but a name: its
// name, or for one without, what it is and where: "(anonymous) src/app.ts:12",
// "(top level) src/app.ts". ParseLabel is the inverse.
func (f Function) Label() string {
	switch {
	case f.Name != "":
		return f.Name
	case f.Flags&TopLevel != 0:
		return strings.TrimSuffix(DisplayTopLevel+" "+f.File, " ")
	case f.File == "":
		return DisplayAnonymous
	case f.Line == 0:
		return DisplayAnonymous + " " + f.File
	}
	return DisplayAnonymous + " " + f.File + ":" + strconv.Itoa(int(f.Line))
}

// ParseLabel returns what a label says of a function. Names spelled like a
// pseudo-function's are taken for one.
func ParseLabel(label string) Function {
	switch {
	case IsPseudoName(label):
		return Function{Name: label, Flags: Pseudo}
	case label == DisplayTopLevel:
		return Function{Flags: TopLevel}
	case label == DisplayAnonymous:
		return Function{}
	}
	if file, ok := strings.CutPrefix(label, DisplayTopLevel+" "); ok {
		return Function{File: file, Flags: TopLevel}
	}
	file, ok := strings.CutPrefix(label, DisplayAnonymous+" ")
	if !ok {
		return Function{Name: label}
	}
	if i := strings.LastIndexByte(file, ':'); i >= 0 {
		line, err := strconv.Atoi(file[i+1:])
		if err == nil && line > 0 && line <= math.MaxInt32 && strconv.Itoa(line) == file[i+1:] {
			return Function{File: file[:i], Line: int32(line)}
		}
	}
	return Function{File: file}
}
