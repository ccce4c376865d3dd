package builddir

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/transform/internal/htmlscan"
)

// Where a policy would refuse what the runtime imports, the page has an import map with its hash, which the
// policy allows; it precedes all that loads modules.
func TestImportMapsUnderStrictDynamic(t *testing.T) {
	app := "export " + loop("app")
	policy := func(sources string) string {
		return `<!doctype html><meta http-equiv=Content-Security-Policy content="script-src ` + sources + " '" + sha256Of(app) + `'">`
	}
	const strict = "'STRICT-dynamic' 'self'"
	link, module := `<link rel=modulepreload href=app.js>`, `<script type=module src=app.js integrity=`+sha256Of(app)+`></script>`
	plain := memorySite(t, site{"app.js": app, "index.html": policy("'self'") + link + module}, Options{})
	trace := sha256Of(plain["fieldprof/trace.js"])
	ours := `<script type="importmap" class="fieldprof">{"integrity":{"./fieldprof/trace.js":"` + trace + `"}}</script>`
	tag := `<script defer="" src="./fieldprof/runtime.js" class="fieldprof"`
	mapped := func(content string) string {
		return policy(strict+" '"+sha256Of(content)+"'") + `<script type=importmap>` + content + `</script>` + module
	}
	for page, want := range map[string]string{
		policy(strict) + link + module:                                                                 ours + tag,
		policy(strict) + `<template>` + link + `</template>` + module:                                  `</template>` + ours + tag,
		policy(strict) + `<script>` + loop("early") + `</script>` + link + module:                      ours + `<script src=`,
		mapped(`{"imports":{"a":"./app.js"}}`):                                                         `<script type=importmap>{"integrity":{"./fieldprof/trace.js":"` + trace + `"},"imports":{"a":"./app.js"}}</script>` + tag,
		mapped(` { } `):                                                                                `<script type=importmap> {"integrity":{"./fieldprof/trace.js":"` + trace + `"} } </script>` + tag,
		mapped(`{"scopes":{"/a":{"integrity":"b"}},"integrity":{"./app.js":"` + sha256Of(app) + `"}}`): `{"scopes":{"/a":{"integrity":"b"}},"integrity":{"./fieldprof/trace.js":"` + trace + `","./app.js":"` + sha256Of(plain["app.js"]) + `"}}`,
		mapped(`{"integrity":{}}`):                                                                     `{"integrity":{"./fieldprof/trace.js":"` + trace + `"}}`,
		policy(strict) + `<base href="/sub/">` + link + `<script type=module src=/app.js></script>`:    `<base href="/sub/">` + strings.ReplaceAll(ours, `"./`, `"/`) + strings.ReplaceAll(tag, `"./`, `"/`),
	} {
		out := memorySite(t, site{"app.js": app, "index.html": page}, Options{})["index.html"]
		must.Contain(t, page, out, want)
		seen := htmlscan.Scan([]byte(out))
		for _, s := range seen.Scripts {
			if content := out[s.ContentStart:s.ContentEnd]; s.Src == nil && s.Kind != htmlscan.Module && !strings.Contains(content, "early") {
				must.Contain(t, "the policy", seen.Policies[0].Content.Value, "'"+sha256Of(content)+"'", "'"+trace+"'")
			}
		}
	}
	for _, page := range []string{
		policy("'self'") + link + module,
		policy("'nonce-n' 'strict-dynamic'") + `<script type=module src=app.js nonce=n></script>`,
		policy("'self'; default-src 'strict-dynamic'") + module,
		link + module,
	} {
		if out := memorySite(t, site{"app.js": app, "index.html": page}, Options{})["index.html"]; strings.Contains(out, "importmap") {
			t.Errorf("%s becomes %s", page, out)
		}
	}
}

// A broken import map stays as it is, and a warning names its page.
func TestBrokenImportMapsUnderStrictDynamic(t *testing.T) {
	for _, content := range []string{"", "{", "[]", "null", `{"imports":}`, `{"imports":{}`, `{"integrity":[]}`, `{1:2}`} {
		if json.Valid([]byte(content)) && strings.HasPrefix(content, "{") && !strings.Contains(content, "integrity") {
			t.Fatalf("%s is a map", content)
		}
		element := `<script type=importmap>` + content + `</script>`
		in := site{"app.js": loop("app"), "index.html": `<!doctype html><meta http-equiv=Content-Security-Policy content="script-src 'strict-dynamic'">` + element + `<script src=app.js></script>`}
		out, report := in.instrument(t, Options{})
		must.Contain(t, content, out["index.html"], element)
		if len(report.Warnings) != 1 || report.Warnings[0].Line != 0 || report.Warnings[0].File != "index.html" {
			t.Errorf("%s: warnings %v", content, report.Warnings)
		}
	}
}
