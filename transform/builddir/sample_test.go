package builddir

import (
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// The choosers' JavaScript is tested in testdata/chooser.mjs, where draws are
// given, and in browsers by test/deploy.
func TestChoosersChoose(t *testing.T) {
	node := must.HaveNode(t)
	for _, rate := range []float64{0.001, 0.01, 0.5, 1} {
		_, report := site{"index.html": `<!doctype html><script defer src="app.js"></script>`, "app.js": loop("a")}.instrument(t, Options{Sample: rate})
		page := filepath.Join(report.Output, "index.html")
		out, err := exec.Command(node, "testdata/chooser.mjs", page, strconv.FormatFloat(rate, 'g', -1, 64)).CombinedOutput()
		if err != nil {
			t.Errorf("rate %v: %v\n%s", rate, err, out)
		}
	}
}

// The contents of a sampled output: the clean site, byte for byte but for its pages,
// and all else again in fieldprof/profiled/.
func TestSampledOutput(t *testing.T) {
	in := site{
		"index.html":   `<!doctype html><script src=app.js></script>`,
		"quiet.html":   `<p>no script`,
		"app.js":       loop("app") + "//# sourceMappingURL=app.js.map\n",
		"app.js.map":   `{"version":3,"sources":["app.ts"],"names":[],"mappings":"AAAA"}`,
		"lib/chunk.js": loop("chunk"),
		"data.txt":     "text",
	}
	in["app.js.gz"] = string(gzipped([]byte(in["app.js"])))
	in["index.html.gz"] = string(gzipped([]byte(in["index.html"])))
	out, report := in.instrument(t, Options{Sample: 0.01})
	for p, text := range in {
		switch {
		case strings.HasPrefix(p, "index.html"):
			if out[p] == text {
				t.Errorf("%s has no chooser", p)
			}
		case out[p] != text:
			t.Errorf("%s changed: %q", p, out[p])
		}
		if got, there := out[variant(p)]; strings.Contains(p, ".html") {
			if there {
				t.Errorf("the variant has the page %s", p)
			}
		} else if changes := strings.Contains(p, ".js"); (got != text) != changes {
			t.Errorf("%s of the variant: %q", p, got)
		}
	}
	if out["index.html.gz"] != string(gzipped([]byte(out["index.html"]))) {
		t.Error("index.html.gz is not index.html")
	}
	if _, there := out[variant("lib/chunk.js.functions.json")]; !there {
		t.Error("the variant's chunk has no function table")
	}
	if len(report.Warnings) > 0 {
		t.Error(report.Warnings)
	}
}

// A clean script's place, query, attributes and order are kept by its variant.
func TestChoosersKeepAttributes(t *testing.T) {
	in := site{"app.js": loop("app"), "sub/m.js": loop("m")}
	digest := sha384(in["app.js"])
	in["index.html"] = `<script>first</script><SCRIPT Src='app.js?v=2&copy=1#x' defer NONCE=abc id=a>it's --></SCRIPT>` +
		`<script type=module crossorigin src=/sub/m.js /></script><script src="app.js" integrity="` + digest + ` sha384-other"></script>` +
		`<script src=app.js>never closed`
	out, _ := in.instrument(t, Options{Sample: 0.5})
	page := out["index.html"]
	must.Contain(t, "the page", page,
		`<script>first</script><script nonce="abc">var fieldprofSampled`,
		`<script nonce="abc">fieldprofChoose('Src=\'./fieldprof/profiled/app.js?v=2\x26amp;copy=1\' defer  id=a')</script><SCRIPT Src='app.js?v=2&copy=1#x' defer NONCE=abc id=a>it's --></SCRIPT>`,
		`<script nonce="abc">fieldprofChoose('type=module crossorigin src="/fieldprof/profiled/sub/m.js" /')</script>`,
		`fieldprofChoose('src="./fieldprof/profiled/app.js" integrity="`+sha384(out[variant("app.js")])+` sha384-other"')`,
		`integrity="`+digest+` sha384-other"></script><script src=app.js>never closed`)
	if n := strings.Count(page, "fieldprofChoose('src=\"./fieldprof/profiled/fieldprof/runtime.js\"'"); n != 1 {
		t.Errorf("the runtime is loaded %d times", n)
	}
}

// Loaders that compare the text of a script's src find the clean name in sampled sessions; others do not pay for it.
func TestVariantsHaveCleanNames(t *testing.T) {
	in := site{"index.html": `<!doctype html><meta http-equiv=Content-Security-Policy content="script-src 'self'"><script src=/app.js></script>`, "app.js": loop("app")}
	out, _ := in.instrument(t, Options{Sample: 0.5})
	text := out[variant(Folder+"/runtime.js")]
	if !strings.HasSuffix(text, cleanNames) {
		t.Errorf("the variant's runtime ends with %q", text[max(0, len(text)-100):])
	}
	must.Contain(t, "the page", out["index.html"], `integrity="`+sha256Of(text)+`"`)
	whole, _ := in.instrument(t, Options{})
	if strings.Contains(whole[Folder+"/runtime.js"], cleanNames) {
		t.Error("a site without choosers changes the names")
	}
}

// docs/deploying.md says what choosers weigh.
func TestChoosersAreSmall(t *testing.T) {
	in := site{"index.html": `<!doctype html><script src=/assets/a-0123abcd.js></script><script type=module crossorigin src=/assets/b-0123abcd.js></script>`}
	in["assets/a-0123abcd.js"], in["assets/b-0123abcd.js"] = loop("a"), "export "+loop("b")
	out, _ := in.instrument(t, Options{Sample: 0.01})
	sampled, clean := out["index.html"], in["index.html"]
	if raw := len(sampled) - len(clean); raw > 700+2*110 {
		t.Errorf("choosers add %d bytes to a page with two scripts", raw)
	}
	if gzip := len(gzipped([]byte(sampled))) - len(gzipped([]byte(clean))); gzip > 450 {
		t.Errorf("choosers add %d compressed bytes to a page with two scripts", gzip)
	}
}

// A script without a check may load scripts that have some.
func TestScriptsWithoutChecksAreChosen(t *testing.T) {
	in := site{"index.html": `<script type=module src=entry.js integrity=` + sha384("import './chunk.js'") + `></script>`, "entry.js": "import './chunk.js'", "chunk.js": loop("chunk")}
	out, _ := in.instrument(t, Options{Sample: 0.5})
	must.Contain(t, "the page", out["index.html"], `fieldprofChoose('type=module src="./fieldprof/profiled/entry.js" integrity=`+sha384("import './chunk.js'")+`')`)
	in["chunk.js"] = "export {}"
	out, _ = in.instrument(t, Options{Sample: 0.5})
	if out["index.html"] != in["index.html"] {
		t.Errorf("nothing has checks, and yet there is a chooser: %s", out["index.html"])
	}
}

// A policy of the page lets in what the choosers write.
func TestPoliciesAllowTheVariant(t *testing.T) {
	in := site{"app.js": loop("app")}
	clean := sha256Of(in["app.js"])
	in["index.html"] = `<meta http-equiv=Content-Security-Policy content="script-src 'strict-dynamic' '` + clean + `'">` +
		`<script src=app.js integrity="` + clean + `"></script>`
	out, _ := in.instrument(t, Options{Sample: 0.5})
	page := out["index.html"]
	policy := page[:strings.Index(page, "<script")]
	scripts := strings.Split(page, "</script>")
	for _, allowed := range []string{
		clean,
		sha256Of(out[variant("app.js")]),
		sha256Of(out[variant("fieldprof/runtime.js")]),
		sha256Of(scripts[0][strings.Index(scripts[0], "<script>")+len("<script>"):]),
		sha256Of(strings.TrimPrefix(scripts[1], "<script>")),
	} {
		must.Contain(t, "the policy", policy, "'"+allowed+"'")
	}
}

// The manifests of a sampled output speak of the clean site, whose scripts are
// as they were and whose pages are not.
func TestManifestsOfASampledOutput(t *testing.T) {
	in := site{"app.js": loop("app"), "index.html": `<script src=app.js></script>`}
	in["ngsw.json"] = `{"hashTable":{"/index.html":"` + sha1Of([]byte(in["index.html"])) + `","/app.js":"` + sha1Of([]byte(in["app.js"])) + `"}}`
	in["ngsw.json.gz"], in["ngsw.json.br"], in["ngsw.json.zst"] = "old", "old", "old"
	out, _ := in.instrument(t, Options{Sample: 0.5})
	want := `{"hashTable":{"/index.html":"` + sha1Of([]byte(out["index.html"])) + `","/app.js":"` + sha1Of([]byte(out["app.js"])) + `"}}`
	if got := out["ngsw.json"]; got != want {
		t.Errorf("ngsw.json is %s\nwant %s", got, want)
	}
	if out["ngsw.json.gz"] != string(gzipped([]byte(want))) || out["ngsw.json.br"] != string(brotlied([]byte(want))) || out["ngsw.json.zst"] != "" {
		t.Errorf("compressed it is %q, %q and %q", out["ngsw.json.gz"], out["ngsw.json.br"], out["ngsw.json.zst"])
	}
}
