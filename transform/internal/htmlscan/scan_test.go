package htmlscan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/fixtures"
)

// TestBytesOfContent holds what golden files cannot: bytes that editors change.
func TestBytesOfContent(t *testing.T) {
	for _, test := range []struct{ name, page, content, src, label string }{
		{"byte order mark", "\uFEFF<script src=a>1</script>", "1", "a", "utf-8"},
		{"CRLF", "<!doctype html>\r\n<script\r\nsrc='a\r\nb\rc'>1\r\n2\r3</script\r\n>", "1\r\n2\r3", "a\nb\nc", ""},
		{"U+2028", "<script src=\u2028>1\u20282</script>", "1\u20282", "\u2028", ""},
		{"NUL", "<script src=a\x00b>1\x002</script>", "1\x002", "a\uFFFDb", ""},
		{"form feed", "<script\fsrc=a\f>1</script\f>", "1", "a", ""},
		{"vertical tab is no white space", "<script src=a\v>1</script\v></script>", "1</script\v>", "a\v", ""},
		{"no UTF-8", "<script src=\xE9>\xE9</script>", "\xE9", "\xE9", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			page := Scan([]byte(test.page))
			if len(page.Scripts) != 1 {
				t.Fatalf("%d scripts", len(page.Scripts))
			}
			s := page.Scripts[0]
			if got := test.page[s.ContentStart:s.ContentEnd]; got != test.content || !s.Closed {
				t.Errorf("content %q, closed %v", got, s.Closed)
			}
			if s.Src == nil || s.Src.Value != test.src {
				t.Errorf("src %+v", s.Src)
			}
			if s.End != len(test.page) {
				t.Errorf("ends at %d of %d", s.End, len(test.page))
			}
			if page.Charset.Label != test.label {
				t.Errorf("charset %q", page.Charset.Label)
			}
		})
	}
}

func TestParse5AgreesOnBytes(t *testing.T) {
	fixtures.EnsureIn(t, oracleDir)
	var samples []sample
	for _, page := range []string{
		"\uFEFF<head><script src=a>1</script>", "<script\r\nsrc='a\r\nb\rc'>1\r\n2\r3</script\r\n>", "<script src=\u2028>1\u20282</script>",
		"<script src=a\x00b>1\x002</script>", "<script\fsrc=a\f>1</script\f>", "<script src=a\v>1</script\v></script>",
		"<script src=\xE9>\xE9</script>", "<scr\x00ipt></scr\x00ipt><script a\x00=b src=c></script>", "<script src='😀'>😀</script>",
		"", "<", "<s", "<script", "<script ", "<script a", "<script src=", "<script src='a", "<script>", "<script></", "<script></script",
		"<script></script ", "<script><!--", "<script><!--<script", "<script><!--<script>", "<!", "<!-", "<!--", "<!---", "<!doctype", "</", "<?",
	} {
		samples = append(samples, sample{fmt.Sprintf("%q", page), []byte(page)})
	}
	compareAll(t, samples, 0)
}

func TestUTF16IsNotRead(t *testing.T) {
	for mark, label := range map[string]string{"\xFE\xFF": "utf-16be", "\xFF\xFE": "utf-16le"} {
		page := Scan([]byte(mark + "<script></script>"))
		if page.Charset.Label != label || page.Charset.BOM != 2 || len(page.Scripts) > 0 || page.HeadStart != 2 {
			t.Errorf("%+v", page)
		}
	}
}

func TestCharset(t *testing.T) {
	for page, want := range map[string]string{
		`<meta charset=" UTF-8 ">`:                                          "utf-8",
		`<meta charset=""><meta charset=a>`:                                 "a",
		`<meta charset=a><meta charset=b>`:                                  "a",
		`<meta http-equiv=content-type content="text/html;charset=a;b">`:    "a",
		`<meta http-equiv=Content-Type content="charset charset = 'A b' ">`: "a b",
		`<meta http-equiv=content-type content="charset='a">`:               "",
		`<meta content="text/html;charset=a">`:                              "",
		`<template><meta charset=a></template>`:                             "",
		"\uFEFF<meta charset=a>":                                            "utf-8",
	} {
		if got := Scan([]byte(page)).Charset; got.Label != want {
			t.Errorf("%s: %+v", page, got)
		}
	}
}

// TestSpell edits attributes in place and reads them again.
func TestSpell(t *testing.T) {
	for _, page := range []string{
		`<script src="old">`, `<script src='old'>`, `<script src=old>`, `<script src = old async>`, `<script src>`, `<script src >`,
		`<script src/>`, `<script src=>`, `<script src= >`, `<script src="">`, `<script src=old/>`, `<script async src>`,
	} {
		for _, value := range []string{"new", "", `a"b'c`, "a&amp;b&copy", "a b\tc\r\nd\re", "<>=`", "/", "é\u2028", "a>b"} {
			a := Scan([]byte(page)).Scripts[0].Src
			edited := page[:a.Start] + a.Spell(value) + page[a.End:]
			again := Scan([]byte(edited)).Scripts
			if len(again) != 1 || again[0].Src == nil || again[0].Src.Value != value || again[0].ContentStart != len(edited) {
				t.Errorf("%s with %q: %s", page, value, edited)
			}
		}
	}
}

func TestEscapeAttribute(t *testing.T) {
	for _, quote := range []byte{'"', '\'', 0} {
		for _, value := range []string{"a", "", `"`, `'`, `a"b'c`, "a&b&amp;", "a b\tc\nd\re\ff", "<>=`"} {
			q := ""
			if quote != 0 {
				q = string(quote)
			}
			tag := "<script src=" + q + EscapeAttribute(value, quote) + q + ">"
			page := Scan([]byte(tag))
			if len(page.Scripts) != 1 || page.Scripts[0].Src.Value != value || page.Scripts[0].ContentStart != len(tag) {
				t.Errorf("%q: %s", value, tag)
			}
		}
	}
	if got := EscapeAttribute("a?b='c'&d=\"e\"", '"'); got != "a?b='c'&amp;d=&#34;e&#34;" {
		t.Error(got)
	}
	if got := EscapeAttribute("\x00", '"'); got != "\uFFFD" {
		t.Error(got)
	}
}

// A part begins with content. Anything that browsers take for the beginning of a page makes it one.
func TestParts(t *testing.T) {
	for source, want := range map[string]bool{
		"<p>":                   true,
		"text<script></script>": true,
		" <!-- a part --><div><script></script></div>": true,
		"\uFEFF<turbo-frame id=a>":                     true,

		"":                                   false,
		"<!doctype html><p>":                 false,
		"<html><p>":                          false,
		"<head><p>":                          false,
		"<body><p>":                          false,
		"<title>A page</title><p>":           false,
		"<script></script><p>":               false,
		"text<!doctype html><html><body><p>": false,
		"<p><body class=a>":                  false,
	} {
		if got := Scan([]byte(source)).IsPart; got != want {
			t.Errorf("that %q is a part is %v", source, got)
		}
	}
}

func TestHandlers(t *testing.T) {
	for page, want := range map[string]int{
		`<p onclick=a ONCLICK=b onfoo=c on=d>`:                   1,
		`<p onclick onload='a'>`:                                 2,
		`<svg><g onclick=a></g></svg>`:                           1,
		`<a href="javascript:a"><a href=javascript>`:             1,
		"<form action='\x01 JavaScript&colon;a'>":                1,
		"<iframe src='java\nscript\t:a'></iframe>":               1,
		`<img src=javascript:a><p href=javascript:b>`:            0,
		`<button formaction=javascript:a><input formaction='x'>`: 1,
		`<!-- <p onclick=a> --><textarea><p onclick=a>`:          0,
	} {
		if got := Scan([]byte(page)).Handlers; got != want {
			t.Errorf("%s: %d, want %d", page, got, want)
		}
	}
}

// TestHostile would not end in a day if time were not linear.
func TestHostile(t *testing.T) {
	const million = 1_000_000
	n := million
	if testing.Short() {
		n = 100_000
	}
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprint("<x", i, " a", i, "=b>")
	}
	for name, page := range map[string]string{
		"script tags that do not end":   strings.Repeat("<script", n),
		"scripts without end":           strings.Repeat("<script>", n),
		"scripts":                       strings.Repeat("<script></script>", n),
		"attributes":                    "<script" + strings.Repeat(" a=b", n) + "></script>",
		"handlers":                      "<p" + strings.Repeat(" onclick=b onload=c", n) + ">",
		"ampersands":                    "<script src='" + strings.Repeat("&a", n) + "'></script>",
		"numeric reference":             "<script src='&#" + strings.Repeat("9", n) + ";'></script>",
		"blanks before =":               "<script " + strings.Repeat("a ", n) + "></script>",
		"escapes in a script":           "<script>" + strings.Repeat("<!--<script>", n) + "</script>",
		"comments":                      strings.Repeat("<!--", n),
		"dashes":                        "<!--" + strings.Repeat("--!", n),
		"sections":                      "<svg>" + strings.Repeat("<![CDATA[]", n),
		"depth":                         strings.Repeat("<div>", n) + strings.Repeat("</span>", n),
		"depth of svg":                  strings.Repeat("<svg>", n) + strings.Repeat("</b>", n),
		"formatting elements":           strings.Repeat("<b><div>", n) + strings.Repeat("</b>", n),
		"links":                         strings.Repeat("<a>", n),
		"ends without starts":           "<table><td>" + strings.Repeat("<span>", n) + strings.Repeat("</div>", n),
		"tables":                        strings.Repeat("<table><tr><td>", n),
		"templates":                     strings.Repeat("<template><tr>", n) + strings.Repeat("</td>", n),
		"foreign scripts":               "<svg>" + strings.Repeat("<script>", n),
		"foreign scripts, closed by br": strings.Repeat("<svg><script><br>", n),
		"many names":                    strings.Join(names, ""),
		"titles":                        strings.Repeat("<title></titl", n),
	} {
		t.Run(name, func(t *testing.T) { checkPage(t, []byte(page), Scan([]byte(page))) })
	}
}
