package folded

import "testing"

// A first line is a stack and a number, and no JSON; names may stand in brackets.
func TestSniff(t *testing.T) {
	for head, is := range map[string]bool{
		"main;work 5\n": true, "# a comment\nmain 1.5\n": true, "#priv;b 7\n": true, "#!/bin/sh -e\nexit 1\n": true, "#comment\n{}": false, "[unknown];main 5\n": true, "[kernel.kallsyms] 3\n": true, "[libc.so.6];f 1\n": true,
		"[1, 2\n": false, "[ {} 5\n": false, "[[1 5\n": false, `["a" 5` + "\n": false, `{"a": 5` + "\n": false, "main\n": false, "": false, "[\n": false,
	} {
		if got := Sniff([]byte(head)) != ""; got != is {
			t.Errorf("%q: %v", head, got)
		}
	}
}
