package builddir

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/transform/internal/htmlscan"
)

func serve(t *testing.T, page ServedPage, o ServeOptions) ServedPage {
	t.Helper()
	served, warnings, err := Serve(page, o)
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	return served
}

// Elements go before every script, with the page's nonce, and before a base.
func TestServedPagesLoadOurScriptsFirst(t *testing.T) {
	const ours = `<script src="/x/a.js" class="fieldprof"></script><script src="/x/b.js" class="fieldprof"></script>`
	o := ServeOptions{Scripts: []string{`src="/x/a.js"`, `src="/x/b.js"`}}
	nonced := strings.ReplaceAll(ours, `">`, `" nonce="n">`)
	for page, want := range map[string]string{
		`<p>`: ours + `<p>`, ``: ours,
		`<!doctype html><html><head><title>x</title>`:                                               `<!doctype html><html><head>` + ours + `<title>`,
		`<meta charset=utf-8><script src=a.js></script>`:                                            `<meta charset=utf-8>` + ours + `<script src=a.js>`,
		`<base href=//x/><script src=a.js></script>`:                                                ours + `<base`,
		`<script src=a.js></script><base href=//x/>`:                                                ours + `<script src=a.js></script><base`,
		`<script type=text/plain></script><script src=a.js nonce=n>`:                                `</script>` + nonced + `<script src`,
		`<meta http-equiv=content-security-policy content="script-src 'nonce-n'"><script></script>`: nonced + `<script>`,
	} {
		if out := string(serve(t, ServedPage{Path: "p", Text: []byte(page)}, o).Text); !strings.Contains(out, want) {
			t.Errorf("%s becomes %s, without %s", page, out, want)
		}
	}
}

// Policies allow what was added, and nothing else more than before.
func TestServedPoliciesAllowNoMoreThanNeeded(t *testing.T) {
	inline := loop("inline")
	hash := htmlscan.Hash([]byte(inline), "sha256")
	o := ServeOptions{Scripts: []string{`src="/x/a.js"`}, From: []string{"http://h/x/"}, To: []string{"ws://h/x/"}}
	page := func(meta string) string {
		return `<meta http-equiv=content-security-policy content="` + meta + `"><script>` + inline + `</script>`
	}
	renewed := func(out string) string { // of the inline script
		at := strings.Index(out, "</script><script>") + len("</script><script>")
		return htmlscan.Hash([]byte(out[at:strings.LastIndex(out, "</script>")]), "sha256")
	}
	for policy, want := range map[string]string{
		"img-src 'none'":                                "img-src 'none'",
		"script-src 'self'":                             "script-src 'self' http://h/x/",
		"script-src 'none'; connect-src 'none'":         "script-src http://h/x/; connect-src ws://h/x/",
		"default-src 'self'":                            "default-src 'self'; script-src 'self' http://h/x/; connect-src 'self' ws://h/x/",
		"script-src " + hash + "; worker-src 'none'":    "script-src HASH http://h/x/; worker-src http://h/x/",
		"script-src-elem 'self'; script-src 'none'":     "script-src-elem 'self' http://h/x/; script-src 'none'",
		"script-src 'self', default-src a; img-src 'b'": "script-src 'self' http://h/x/, default-src a; img-src 'b'; script-src a http://h/x/; connect-src a ws://h/x/",
	} {
		served := serve(t, ServedPage{Path: "p", Text: []byte(page("img-src 'none'")), Policies: []string{policy, "img-src x"}}, o)
		if want := strings.ReplaceAll(want, "HASH", renewed(string(served.Text))); !slices.Equal(served.Policies, []string{want, "img-src x"}) {
			t.Errorf("%s becomes %q, want %s", policy, served.Policies, want)
		}
		if strings.Contains(policy, ",") {
			continue // a meta element holds one
		}
		out := string(serve(t, ServedPage{Path: "p", Text: []byte(page(policy))}, o).Text)
		if want := strings.ReplaceAll(want, "HASH", renewed(out)); !strings.Contains(out, `content="`+want+`"`) {
			t.Errorf("%s in a meta element becomes %s, want %s", policy, out, want)
		}
	}
}

// 'strict-dynamic' allows our elements by a nonce alone: where the page has none, they get a new one.
func TestServedPagesUnderStrictDynamic(t *testing.T) {
	o := ServeOptions{Scripts: []string{`src="/x/a.js"`}, From: []string{"http://h/x/"}}
	const policy = "script-src 'strict-dynamic' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
	meta := `<meta http-equiv=content-security-policy content="` + policy + `">`
	nonce := regexp.MustCompile(` nonce="([A-Z2-7]{26})"></script>`)
	for name, page := range map[string]ServedPage{
		"meta":   {Path: "p", Text: []byte(meta + `<script>a()</script>`)},
		"header": {Path: "p", Text: []byte(`<script>a()</script>`), Policies: []string{"img-src x, " + policy}},
		"both":   {Path: "p", Text: []byte(meta), Policies: []string{policy}},
	} {
		served := serve(t, page, o)
		found := nonce.FindStringSubmatch(string(served.Text))
		if found == nil {
			t.Errorf("%s: no nonce in %s", name, served.Text)
			continue
		}
		all := string(served.Text) + strings.Join(served.Policies, ",")
		if got, want := strings.Count(all, "'nonce-"+found[1]+"'"), strings.Count(all, "'strict-dynamic'"); got != want {
			t.Errorf("%s: %d of %d policies allow it: %s", name, got, want, all)
		}
	}
	given := serve(t, ServedPage{Path: "p", Text: []byte(meta + `<script nonce=n>a()</script>`), Policies: []string{"script-src 'nonce-n' 'strict-dynamic'", "script-src 'self'"}}, o)
	if want := "script-src 'nonce-n' 'strict-dynamic' http://h/x/"; given.Policies[0] != want || strings.Contains(given.Policies[1], "nonce") || strings.Count(string(given.Text), "'nonce-n'") != 1 {
		t.Errorf("with a nonce there are %q and %s", given.Policies, given.Text)
	}
	if out := string(serve(t, ServedPage{Path: "p", Text: []byte(meta)}, ServeOptions{}).Text); out != meta {
		t.Errorf("without elements of ours it becomes %s", out)
	}
}

// text returns what a table says a function is.
func textOf(t *testing.T, page string, f *functable.Function) string {
	t.Helper()
	offset := func(p functable.Position) int {
		at := 0
		for range p.Line - 1 {
			at += strings.IndexByte(page[at:], '\n') + 1
		}
		return at + int(p.Column) - 1
	}
	return page[offset(f.Start):offset(f.End)]
}

// The table of a page follows the page.
func TestServedTables(t *testing.T) {
	src := "<meta http-equiv=content-security-policy content=\"default-src 'unsafe-inline'\"><script>" + loop("one") + "</script> <script>" + loop("two") +
		"\n" + loop("three") + "</script>\n<script>" + loop("four") + "</script>"
	o := ServeOptions{Scripts: []string{`src="/x/a.js"`}, From: []string{"http://h/x/"}, To: []string{"ws://h/x/"}}
	fresh := serve(t, ServedPage{Path: "index.html", Text: []byte(src)}, o)
	built := memorySite(t, site{"index.html": src}, Options{})
	table, err := functable.Decode([]byte(built["index.html.functions.json"]))
	if err != nil {
		t.Fatal(err)
	}
	o.Instrumented = true
	later := serve(t, ServedPage{Path: "index.html", Text: []byte(built["index.html"]), Table: table}, o)
	for _, served := range []ServedPage{fresh, later} {
		if n := len(served.Table.Functions); n != 5 {
			t.Fatalf("%d functions", n)
		}
		for i, name := range []string{"one", "two", "three", "four"} {
			f := &served.Table.Functions[i+1]
			if text := textOf(t, string(served.Text), f); f.Name != name || !strings.HasPrefix(text, "function "+name+"(") || !strings.HasSuffix(text, "}") {
				t.Errorf("%s is %q", name, text)
			}
		}
	}
	if again := serve(t, later, ServeOptions{Instrumented: true}); string(again.Text) != string(later.Text) || !slices.Equal(again.Table.Functions, later.Table.Functions) {
		t.Error("nothing was asked for, and something changed")
	}
}

func TestServedScriptsLoseTheirIntegrity(t *testing.T) {
	page := `<link rel=modulepreload href=a.js integrity='sha256-x'><script src=" a.js " integrity=sha256-x></script><script src=b.js integrity="sha256-y"></script>`
	out := string(serve(t, ServedPage{Path: "p", Text: []byte(page)}, ServeOptions{Loses: func(src string) bool { return src == "a.js" }}).Text)
	if want := `<link rel=modulepreload href=a.js integrity=''><script src=" a.js " integrity=""></script><script src=b.js integrity="sha256-y"></script>`; out != want {
		t.Error(out)
	}
}

// Import maps have integrity hashes, too, and policies have hashes of import maps.
func TestServedImportMapsLoseTheirIntegrity(t *testing.T) {
	loses := ServeOptions{Loses: func(src string) bool { return src == "./a.js" || src == "/b.js" }}
	for was, want := range map[string]string{
		`{"integrity":{"./a.js":"sha256-x","c.js":"sha256-y", "/b.js" : "sha384-z"}}`:                              `{"integrity":{"./a.js":"","c.js":"sha256-y", "/b.js" : ""}}`,
		"{\n \"imports\": {\"a\": \"./a.js\"},\n \"integrity\": {\n  \"./\\u0061.js\": \"sha256-x\"\n }\n}\n":      "{\n \"imports\": {\"a\": \"./a.js\"},\n \"integrity\": {\n  \"./\\u0061.js\": \"\"\n }\n}\n",
		`{"integrity":{"./a.js":"sha256-x"},"scopes":{"integrity":{"./a.js":"./b.js"}},"integrity":{"/b.js":"s"}}`: `{"integrity":{"./a.js":""},"scopes":{"integrity":{"./a.js":"./b.js"}},"integrity":{"/b.js":""}}`,
		`{"imports":{"./a.js":"./b.js"}}`:                   `{"imports":{"./a.js":"./b.js"}}`,
		`{"integrity":{"./a.js":"","/b.js":null}}`:          `{"integrity":{"./a.js":"","/b.js":null}}`,
		`{"integrity":{"./a.js":["sha256-x"],"/b.js":"h"}}`: `{"integrity":{"./a.js":["sha256-x"],"/b.js":""}}`,
		`{"integrity":["./a.js","sha256-x"]}`:               `{"integrity":["./a.js","sha256-x"]}`,
		`["integrity",{"./a.js":"sha256-x"}]`:               `["integrity",{"./a.js":"sha256-x"}]`,
		`{"integrity":{"./a.js":"sha256-x"},}`:              `{"integrity":{"./a.js":"sha256-x"},}`,
		`{"integrity":{"./a.js":"sha256-x"`:                 `{"integrity":{"./a.js":"sha256-x"`,
		``:                                                  ``,
	} {
		page := `<script type=importmap>` + was + `</script><script type=module src=a.js></script>`
		served := serve(t, ServedPage{Path: "p", Text: []byte(page), Policies: []string{"script-src 'self' " + htmlscan.Hash([]byte(was), "sha256")}}, loses)
		if got := string(served.Text); got != strings.Replace(page, was, want, 1) {
			t.Errorf("%s becomes %s", page, got)
		}
		if policy := "script-src 'self' " + htmlscan.Hash([]byte(want), "sha256"); served.Policies[0] != policy {
			t.Errorf("%s: the policy is %s, want %s", was, served.Policies[0], policy)
		}
	}
}

func TestOddServedPages(t *testing.T) {
	utf16 := ServedPage{Path: "p", Text: []byte("\xff\xfe<\x00p\x00>\x00")}
	served, warnings, err := Serve(utf16, ServeOptions{Scripts: []string{`src="/x/a.js"`}})
	if err != nil || string(served.Text) != string(utf16.Text) || len(warnings) != 1 {
		t.Error(served, warnings, err)
	}
	ours := `<script src="./fieldprof/runtime.js"></script><script>` + loop("f") + `</script>`
	if out := string(serve(t, ServedPage{Path: "p", Text: []byte(ours)}, ServeOptions{Scripts: []string{`src="/x/a.js"`}}).Text); out != `<script src="/x/a.js" class="fieldprof"></script>`+ours {
		t.Error(out)
	}
}
