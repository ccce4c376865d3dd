package builddir

import (
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/runtime"
)

// A script that fits carries the runtime, told where its folder is; all others are as
// without.
func TestEmbed(t *testing.T) {
	in := site{
		"app.js": loop("app"), "deep/er/app.js": `"use strict";` + loop("deep"), "bundled.js": "var exports={};" + loop("bundled"),
		"module.mjs": "export " + loop("module"), "other.js": loop("other"), "broken.js": "var ;",
	}
	plain, _ := in.instrument(t, Options{})
	out, report := in.instrument(t, Options{Embed: []string{"app.js", "/bundled.js", "*.mjs", "broken.js"}, Runtime: runtime.Options{Clock: "poll"}})
	for p, folder := range map[string]string{"app.js": "./fieldprof/", "bundled.js": "./fieldprof/", "deep/er/app.js": "../../fieldprof/"} {
		for _, want := range []string{`({"clock":"poll"})`, `new URL("` + folder + `trace.js",`} {
			if strings.Count(out[p], want) != 1 || strings.Contains(out[p], "importScripts") {
				t.Errorf("%s does not carry the runtime with %s:\n%s", p, want, out[p])
			}
		}
		if !embeds(out[p], in[p]) || strings.Count(out[p], "\n") != strings.Count(plain[p], "\n") {
			t.Errorf("%s is not its source and insertions on its lines", p)
		}
	}
	if !strings.HasPrefix(out["module.mjs"], `import"./fieldprof/module.js";const{`) {
		t.Errorf("the module does not import the runtime: %s", out["module.mjs"])
	}
	for _, p := range []string{"other.js", "broken.js"} {
		if out[p] != plain[p] {
			t.Errorf("%s is another with --embed of others: %s", p, out[p])
		}
	}
	if len(report.Warnings) != 1 || report.Warnings[0].File != "broken.js" {
		t.Errorf("the warnings are %v", report.Warnings)
	}
}

func TestEmbedThatFitsNothing(t *testing.T) {
	_, report := site{"app.js": loop("app")}.instrument(t, Options{Embed: []string{"app.js", "main-*.js"}})
	if len(report.Warnings) != 1 || report.Warnings[0].File != "main-*.js" || !strings.Contains(report.Warnings[0].Text, "no script matches this glob") {
		t.Errorf("the warnings are %v", report.Warnings)
	}
}

// With a sample rate it is the variant that carries the runtime.
func TestEmbedInAVariant(t *testing.T) {
	in := site{"app.js": loop("app")}
	out, _ := in.instrument(t, Options{Embed: []string{"app.js"}, Sample: 0.5})
	if out["app.js"] != in["app.js"] || !strings.Contains(out[variant("app.js")], `"./fieldprof/trace.js"`) {
		t.Errorf("clean %s\nvariant %s", out["app.js"], out[variant("app.js")])
	}
}
