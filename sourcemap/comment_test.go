package sourcemap

import (
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

func TestURL(t *testing.T) {
	for _, c := range []struct{ name, code, want string }{
		{"last line", "f()\n//# sourceMappingURL=a.map", "a.map"},
		{"blank lines behind", "f()\n//# sourceMappingURL=a.map\n\n \t\r\n", "a.map"},
		{"old mark", "//@ sourceMappingURL=a.map", "a.map"},
		{"no space", "//#sourceMappingURL=a.map", "a.map"},
		{"much space", "//#\t\u00a0 sourceMappingURL=a.map \ufeff", "a.map"},
		{"space inside", "//# sourceMappingURL=a b", ""},
		{"empty", "//# sourceMappingURL=", ""},
		{"empty hides the one before", "//# sourceMappingURL=a\n//# sourceMappingURL=\n", ""},
		{"the last counts", "//# sourceMappingURL=a\n//# sourceMappingURL=b\n", "b"},
		{"block", "f()\n/*# sourceMappingURL=a.map */", "a.map"},
		{"block without spaces", "f()/*#sourceMappingURL=a.map*/ ", "a.map"},
		{"two blocks", "/*# sourceMappingURL=a *//*# sourceMappingURL=b */", "b"},
		{"block, then comments", "/*# sourceMappingURL=a */ /* x */ // y", "a"},
		{"block, then code", "/*# sourceMappingURL=a */ f()", ""},
		{"block over two lines", "/*# sourceMappingURL=a\n*/", ""},
		{"block that does not end", "f() /*# sourceMappingURL=a", ""},
		{"block that does not end, on its own", "//# sourceMappingURL=a\n/* b", "a"},
		{"inside a block", "/*\n//# sourceMappingURL=a\n*/", ""},
		{"inside a comment", "// see //# sourceMappingURL=a", ""},
		{"code behind", "//# sourceMappingURL=a\nf()", ""},
		{"comment behind", "//# sourceMappingURL=a\n// f()\n/* g() */", "a"},
		{"debug id behind", "//# sourceMappingURL=a\n//# debugId=85314830-023f-4cf1-a267-535f4e37bb17\n", "a"},
		{"other comment", "//# sourceURL=a", ""},
		{"code before", "f();//# sourceMappingURL=a", "a"},
		{"URL in a string before", `f("http://x", '//', "\"//");//# sourceMappingURL=a`, "a"},
		{"in a string", `x = "//# sourceMappingURL=a"`, ""},
		{"in a string with escapes", `eval("f()\n//# sourceMappingURL=a\n")`, ""},
		{"in a template", "x = `\n//# sourceMappingURL=a`", ""},
		{"division", "a / b // c\n//# sourceMappingURL=a", "a"},
		{"slash at the end", "//# sourceMappingURL=a\n/", ""},
		{"apostrophe in a regular expression", "/'/ //# sourceMappingURL=a", "a"},
		{"LF CR", "f()\n\r//# sourceMappingURL=a\r", "a"},
		{"U+2028", "f()\u2028//# sourceMappingURL=a\u2028", "a"},
		{"U+2029, then code", "//# sourceMappingURL=a\u2029f()", ""},
		{"U+2028 in the URL ends it", "//# sourceMappingURL=a\u2028b", ""},
		{"U+0085 is no space", "//# sourceMappingURL=a\n\u0085", ""},
		{"not UTF-8", "\xe2\x80//# sourceMappingURL=a\xa8\xff", "a\xa8\xff"},
		{"first line", "//# sourceMappingURL=a", "a"},
		{"nothing", "", ""},
		{"data", "//# sourceMappingURL=data:application/json,%7B%7D", "data:application/json,%7B%7D"},
	} {
		must.Equal(t, URL([]byte(c.code)), c.want, c.name)
		got, ok := ReplaceURL([]byte(c.code), "n w.map")
		want := c.code
		if c.want != "" {
			at := strings.LastIndex(c.code, urlMark.text+c.want) + len(urlMark.text)
			want = c.code[:at] + "n%20w.map" + c.code[at+len(c.want):]
		}
		must.Equal(t, ok, c.want != "", c.name, got)
		must.Equal(t, string(got), want, c.name, got)
	}
}

func TestReplacedURLIsFound(t *testing.T) {
	for _, c := range []struct{ url, want string }{
		{"dir/a.js.map?x=1#y", "dir/a.js.map?x=1#y"},
		{"it's \"a\"\\`b`.map", "it%27s%20%22a%22%5C%60b%60.map"},
		{"é\u2028\n*/x*y\xff", "é%E2%80%A8%0A%2A/x*y%FF"},
		{InlineURL([]byte(`{"version":3}`)), "data:application/json;base64,eyJ2ZXJzaW9uIjozfQ=="},
	} {
		for _, code := range []string{"f()\n//# sourceMappingURL=a\n//# debugId=b\n", "/*# sourceMappingURL=a */\n"} {
			got, ok := ReplaceURL([]byte(code), c.url)
			if want := strings.Replace(code, "=a", "="+c.want, 1); !ok || string(got) != want {
				t.Errorf("%q, want %q", got, want)
			}
			must.Equal(t, URL(got), c.want)
		}
	}
}

func TestInlineURLIsReadBack(t *testing.T) {
	for _, json := range []string{"", "{}", `{"version":3,"sources":["é"]}`} {
		got := must.Get(Inline([]byte("f()\n//# sourceMappingURL=" + InlineURL([]byte(json)))))(t)
		must.Equal(t, string(got), json)
	}
	// Other writers.
	for _, url := range []string{"data:application/json;BASE64,e30%3D", "data:application/json;charset=utf-8;base64,e30"} {
		got := must.Get(Inline([]byte("//# sourceMappingURL=" + url)))(t)
		must.Equal(t, string(got), "{}", url)
	}
}
