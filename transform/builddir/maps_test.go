package builddir

import (
	"slices"
	"strings"
	"testing"
)

// A comment may name a file of the site as a script's source map by mistake. That file stays,
// and the new map goes elsewhere.
func TestNoOtherFileIsReplacedByAMap(t *testing.T) {
	in := site{
		"app.js":    loop("app") + "//# sourceMappingURL=data.json\n",
		"data.json": `{"a":1}`,
		"logo.js":   loop("logo") + "//# sourceMappingURL=logo.svg\n",
		"logo.svg":  "<svg xmlns='http://www.w3.org/2000/svg'/>",
		"odd.js":    loop("odd") + "//# sourceMappingURL=odd.json\n",
		"odd.json":  `{"version":3,"sources":["odd.ts"],"names":[],"mappings":"AAAA"}`,
	}
	out, report := in.instrument(t, Options{})
	for script, named := range map[string]string{"app.js": "data.json", "logo.js": "logo.svg"} {
		if out[named] != in[named] {
			t.Errorf("%s is now %s", named, out[named])
		}
		if out[script+".map"] == "" || !strings.Contains(out[script], "sourceMappingURL="+script+".map") {
			t.Errorf("%s has no map of its own", script)
		}
		isSaid := func(v Warning) bool { return v.File == script && strings.Contains(v.Text, named+", is no map") }
		if !slices.ContainsFunc(report.Warnings, isSaid) {
			t.Errorf("%s: %+v", script, report.Warnings)
		}
	}
	if out["odd.json"] == in["odd.json"] || len(report.Warnings) != 2 {
		t.Errorf("a map of another name is not renewed: %+v", report.Warnings)
	}
}
