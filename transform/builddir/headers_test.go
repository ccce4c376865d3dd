package builddir

import (
	"regexp"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/transform"
)

// Wherever the tree keeps the policies of its headers, they allow the inline scripts as they are now.
func TestPoliciesOfHeadersFollow(t *testing.T) {
	first, second, quiet := loop("first"), loop("second"), "done()"
	policy := "script-src 'self' cdn.example.com:443/js/ '" + sha256Of(first) + "' '" + sha384(second) + "' '" + sha256Of(quiet) + "' 'sha256-" + strings.Repeat("A", 43) + "='"
	in := site{
		"index.html":  "<!doctype html><script>" + first + "</script><script>" + quiet + "</script>",
		"b/more.html": "<!doctype html><script>" + second + "</script><script>" + first + "</script>",
		"_headers":    "/*\n  Content-Security-Policy: " + policy + "\n",
		"b/.htaccess": `Header set Content-Security-Policy "` + policy + `"`,
		"vercel.json": `{"headers":[{"key":"Content-Security-Policy","value":"` + policy + `"}]}`,
		"notes.txt":   policy,

		"netlify.toml":  "[headers.values]\nContent-Security-Policy = \"" + policy + "\"\n",
		"web.config":    `<add name="Content-Security-Policy" value="` + strings.ReplaceAll(policy, "'", "&#39;") + `" />`,
		"nginx.conf":    `add_header Content-Security-Policy "` + policy + `" always;`,
		"page.php":      `<?php header('Content-Security-Policy: ` + strings.ReplaceAll(policy, "'", `\'`) + `');`,
		"list.php":      `<?php $sources = ["'self'", "'` + sha256Of(first) + `'", "'` + sha384(second) + `'", "'` + sha256Of(quiet) + `'", "'sha256-` + strings.Repeat("A", 43) + `='"];`,
		"b/render.yaml": "headers:\n  - name: Content-Security-Policy\n    value: " + policy + "\n",
		"wide.html":     "\xff\xfe<\x00p\x00",
	}
	content := regexp.MustCompile(`(?s)<script>(.*?)</script>`)
	for name, selection := range map[string]transform.Selection{"profiled": {}, "counting": {Train: true}} {
		out := memorySite(t, in, Options{Selection: selection})
		var allowed []string
		for _, p := range []string{"index.html", "b/more.html"} {
			for _, s := range content.FindAllStringSubmatch(out[p], -1) {
				if strings.Contains(s[1], "second") {
					allowed = append(allowed, "'"+sha384(s[1])+"'")
				} else {
					allowed = append(allowed, "'"+sha256Of(s[1])+"'")
				}
			}
		}
		if len(allowed) != 4 {
			t.Fatalf("%s: the pages have %d scripts: %q", name, len(allowed), out)
		}
		plain := strings.NewReplacer("&#39;", "'", `\'`, "'")
		for _, p := range []string{"_headers", "b/.htaccess", "vercel.json", "netlify.toml", "web.config", "nginx.conf", "page.php", "list.php", "b/render.yaml"} {
			out[p] = plain.Replace(out[p])
			for _, source := range append(allowed, "'sha256-"+strings.Repeat("A", 43)+"='") {
				if !strings.Contains(out[p], source) {
					t.Errorf("%s: %s lacks %s: %s", name, p, source, out[p])
				}
			}
			if strings.Contains(out[p], sha256Of(first)) || strings.Contains(out[p], sha384(second)) {
				t.Errorf("%s: %s allows what is gone: %s", name, p, out[p])
			}
		}
		if out["notes.txt"] != policy {
			t.Errorf("%s: notes.txt is %s", name, out["notes.txt"])
		}
	}
}

// Elsewhere than in a policy a text may have no room for several hashes: it gets one, which leaves it valid, and a warning
// says where.
func TestHashesOutsideOfPolicies(t *testing.T) {
	twin := loop("twin")
	in := site{
		"index.html": "<!doctype html><script>" + twin + "</script>",
		"other.html": "<!doctype html><script>" + twin + "</script>",
	}
	for name, text := range map[string]string{
		"list.php":  "<?php\n$hashes = ['HASH'];",
		"more.php":  "<?php\nreturn 'HASH';",
		"ruby.erb":  "\n<% policy.script_src :self, 'HASH' %>",
		"data.json": "{\n\"hash\": \"HASH\"}",
	} {
		in := in.with(name, strings.Replace(text, "HASH", sha256Of(twin), 1))
		out, report := in.instrument(t, Options{Exclude: []string{"other.html"}})
		found := readDigests(out[name])
		if len(found) != 1 || strings.Count(out[name], "'") != strings.Count(text, "'") {
			t.Errorf("%s becomes %s", name, out[name])
		}
		if len(report.Warnings) != 1 || report.Warnings[0].File != name || report.Warnings[0].Line != 2 || !strings.Contains(report.Warnings[0].Text, "has become 2") {
			t.Errorf("%s: the warnings are %v", name, report.Warnings)
		}
	}
}
