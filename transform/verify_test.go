package transform

import (
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/transform/internal/edit"
	"github.com/fieldprof/fieldprof/transform/internal/jsscan"
)

// Each of these insertions gives a program that parses and is another one, or one
// that does not parse. None gets past verify.
func TestVerifyFinds(t *testing.T) {
	for name, test := range map[string]struct {
		src      string
		insert   string // at the mark ^ of src
		complain string
	}{
		"nothing":              {"function f(){return g^(1)\n(2)}", "", ""},
		"a harmless check":     {"function f(){^return 1}", ";", ""},
		"a statement joined":   {"function f(){return^\n(g())}", " 1", "2 statements of a function became 1"},
		"a statement split":    {"function f(){return g()^+1}", ";", "1 statements of a function became 2"},
		"a return moved":       {"function f(){if(a^)return 1;return 2}", "){}if(1", "statements of a function became"},
		"a return swallowed":   {"function f(){g(1)^;return 2}", ";throw 1//", "it could not be read again"},
		"a function ended":     {"function f(){g()^;h()}", "}{", "statements"},
		"a function added":     {"function f(){g()^}", ",()=>1", ""},
		"a function swallowed": {"function f(){^}/* function g(){} */", "/*", "it could not be read again"},
		"another kind":         {"x={^f(){}}", "get ", "a function is gone"},
		"asynchronous":         {"x=^function(){}", "async ", "a function is gone"},
		"a loop ended":         {"function f(){for(;;)^g()}", ";", "a loop is not the same"},
		"a loop made":          {"function f(){^g()}", "for(;;)", "statements"},
		"a loop at the top":    {"^g()", "for(;;)", "statements of the top level"},
		"a directive lost":     {"function f(){^'use strict';g()}", ";", "a function is not the same"},
		"a yield lost":         {"function*f(){^yield(1)}", "x.", "a yield or await is not the same"},
		"a module made":        {"^f()", "export{};", "it could not be read again"},
		"unfinished":           {"function f(){g(^)}", "(", "it could not be read again"},
	} {
		offset := strings.IndexByte(test.src, '^')
		src := []byte(strings.Replace(test.src, "^", "", 1))
		script, err := jsscan.Scan(src, jsscan.Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		n := len(script.Functions)
		e := &emitter{begun: make([]int, n), returns: make([]int, n)}
		var buffer edit.Buffer
		buffer.Open(offset, test.insert)
		code, edits := buffer.Apply(src)
		at := newPositions(src)
		at.setEdits(edits)
		trouble := verify(script, e, at, code, nil)
		switch {
		case trouble == nil && test.complain != "":
			t.Errorf("%s: %s passes", name, code)
		case trouble != nil && (test.complain == "" || !strings.Contains(trouble.Msg, test.complain)):
			t.Errorf("%s: %s: %v", name, code, trouble)
		}
	}
}

// A file whose result is not the same program is passed through unchanged, with a
// warning that says where.
func TestUnverifiedIsPassedThrough(t *testing.T) {
	src := []byte("a();\nfunction f() { b(); }\n")
	result := unchanged(src, &Options{File: "app.js"}, newPositions(src), *differs(5, "a function is gone"))
	if string(result.Code) != string(src) || len(result.Warnings) != 1 || len(result.Insertions) > 0 {
		t.Fatalf("%+v", result)
	}
	want := "app.js:2:1: checks would change the structure of the program (a function is gone); please report this; left uninstrumented"
	if got := result.Warnings[0].String(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
