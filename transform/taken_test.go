package transform

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/transform/internal/jsscan"
)

// Very many names do not take a time that grows as a square.
func TestTakingsAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range 50000 {
		fmt.Fprintf(&b, "function f%d(){}x=''+f%d;", i, i)
	}
	src := []byte(b.String())
	takings := findTakings(src)
	looked := takings.patience
	for i := range 50000 {
		takings.taken(&jsscan.Function{Kind: jsscan.Declaration, Name: fmt.Sprintf("f%d", i)})
	}
	if looked -= takings.patience; looked > 34*len(src) {
		t.Errorf("looked at %d bytes of %d", looked, len(src))
	}
}

// A function that is there for its text is left alone with all inside; one that
// runs here is not, however its name is used.
func TestTaken(t *testing.T) {
	const body = "(a){while(a)a--}"
	for src, taken := range map[string]bool{
		`new Blob(["("+function` + body + `+")()"])`:                true,
		`new Blob(["(", function` + body + ` + ")()"])`:             true,
		`x=(function` + body + `).toString()`:                       true,
		`x=((a=>{while(a)a--})).toString()`:                         true,
		`x=String(function` + body + `)`:                            true,
		`x=""+function` + body:                                      true,
		`x="" + (a=>{while(a)a--})`:                                 true,
		"x=`(${function" + body + "})()`":                           true,
		`function f` + body + `;new Worker(u(f.toString()))`:        true,
		`function f` + body + `;x="("+f+")()"`:                      true,
		`function f` + body + `;x=String(f)`:                        true,
		`function f` + body + `;f.toString();f(1)`:                  false,
		`function f` + body + `;on("x"+f,f)`:                        false,
		`function f` + body + `;function g(f){return f.toString()}`: false,
		`+function` + body + `(1)`:                                  false,
		`x=1+function` + body + `(1)`:                               false,
		`x=(function` + body + `)(1)+"s"`:                           false,
		`function f` + body + `;x="/"+f(1)`:                         false,
		`function f` + body + `;x="/" + f (1)`:                      false,
		`function f` + body + `;x=String(f(1))`:                     false,
		`function f` + body + `;x="/"+f.name`:                       false,
		`function f` + body + `;x=y.f.toString()`:                   false,
		`function f` + body + `;x=y?. f + "s"`:                      false,
		`function f` + body + `;x=[...f.toString()]`:                true,
		`function f` + body + `;x="s"+y.f`:                          false,
		`x=""+(function` + body + `)(1)`:                            false,
		`x=""+function` + body + `.name`:                            false,
		`x=f(function` + body + `)+"s"`:                             false,
		`x=f(function` + body + `).toString()`:                      false,
		`i++
		;(function` + body + `)`: false,
		`x={f:function` + body + `}.toString()`: false,
		`return_=+function` + body:              false,
		`x={}+function` + body:                  true,
		`x=a=>{while(a)a--}`:                    false,
	} {
		result := clean(t, []byte(src), Options{Selection: Selection{Preset: Precise}})
		if got := result.Reasons[1].Why == OutText; got != taken {
			t.Errorf("%s: %v", src, result.Reasons[1])
		}
		if got := strings.Contains(string(result.Code), "c(1)"); got == taken {
			t.Errorf("%s becomes %s", src, result.Code)
		}
	}
}
