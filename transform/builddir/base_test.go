package builddir

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

var runtimeURLs = regexp.MustCompile(`[^"']*fieldprof/(?:runtime|checks)\.js`)

// Wherever a page's base leads: the scripts that we put into a page are requested from the
// place where the runtime is, and never from another site.
func TestBase(t *testing.T) {
	must.NotForRaces(t)
	for _, mount := range []string{"/", "/app/"} {
		pages := basePages(mount)
		in := site{"app.js": loop("app"), "sub/x.txt": "x"}
		for p, page := range pages {
			in[p] = page.text
		}
		for _, public := range []string{"", "https://cdn.example/x/"} {
			out := memorySite(t, in, Options{PublicPath: public})
			for p, page := range pages {
				found := runtimeURLs.FindAllStringIndex(out[p], -1)
				if len(found) == 0 {
					t.Errorf("at %s: nothing loads the runtime: %s", mount, out[p])
				}
				for _, at := range found {
					got := resolvedIn("https://site.example"+mount+p, page.base, out[p], at[0], out[p][at[0]:at[1]])
					folder, elsewhere := "https://site.example"+mount+"fieldprof/", "https://cdn.example/x/fieldprof/"
					isRoot := page.base == "/" && strings.HasPrefix(got, "https://site.example/fieldprof/") // the base says so itself
					if !strings.HasPrefix(got, folder) && !isRoot && !(public != "" && strings.HasPrefix(got, elsewhere)) {
						t.Errorf("at %s, public path %q: %s asks for %s: %s", mount, public, p, got, out[p])
					}
				}
			}
		}
	}
}

// basePage is a page with a base.
type basePage struct{ base, text string }

// basePages are pages with every kind of base before every kind of script.
func basePages(mount string) map[string]basePage {
	const inline = `<script type=module>` + "function f(n) { while (n--); return n; }" + `</script>`
	pages := map[string]basePage{}
	for _, base := range []string{
		"", "/", mount, "./", "../", "deep/", "https://other.example/", "//other.example/x/", `\\other.example\x\`, "ht\ntps://other.example/",
		"https:other.example", "data:text/html,", "javascript:1", "https://[", "mailto:x", "https://cdn.example/x/",
	} {
		for _, folder := range []string{"", "sub/"} {
			for _, scripts := range [][2]string{
				{"", inline}, {"", "<script>" + loop("inline") + "</script>"}, {"<script>" + loop("early") + "</script>", inline},
				{`<script src="` + mount + `app.js"></script>`, inline},
				{`<script src="` + strings.Repeat("../", strings.Count(folder, "/")) + `app.js"></script>`, inline},
			} {
				element := fmt.Sprintf(`<base href="%s">`, base)
				if base == "" {
					element = ""
				}
				pages[fmt.Sprintf("%s%d.html", folder, len(pages))] = basePage{base, "<head>" + scripts[0] + element + scripts[1]}
			}
		}
	}
	return pages
}

// resolvedIn is the URL that a browser makes of one at an offset of a page.
func resolvedIn(document, base, page string, at int, reference string) string {
	from, _ := url.Parse(document)
	if i := strings.Index(page, "<base"); i >= 0 && i < at && !strings.HasPrefix(base, "data:") && !strings.HasPrefix(base, "javascript:") {
		cleaned := strings.NewReplacer("\n", "", `\`, "/").Replace(base)
		if next, err := from.Parse(cleaned); err == nil {
			from = next
		} else {
			from = &url.URL{Scheme: "https", Host: "nowhere.example", Path: "/"}
		}
	}
	to, err := from.Parse(reference)
	if err != nil {
		return err.Error()
	}
	return to.String()
}

// An inline module needs none of our modules: nothing imports it, and the page's
// runtime is there before it.
func TestInlineModulesImportNothing(t *testing.T) {
	out := memorySite(t, site{"index.html": `<script type=module>` + loop("f") + `</script>`}, Options{})
	if page := out["index.html"]; strings.Contains(page, "checks.js") || !strings.Contains(page, `<script defer="" src="./fieldprof/runtime.js" class="fieldprof"></script><script type=module>`+setsGlobal) {
		t.Errorf("the page is %s", page)
	}
}

// A line separator ends a line of a script and not of its page: the functions of such a
// script would be where the page has later ones.
func TestInlineScriptsWithLineSeparators(t *testing.T) {
	kept := "<script>" + loop("a") + "//\u2028\u2029\n</script>"
	in := site{"index.html": "\n" + kept + "<script>'\u2028'</script><script>" + loop("b") + "</script>"}
	out, report := in.instrument(t, Options{})
	must.Contain(t, "index.html", out["index.html"], kept, "function b(n) {var")
	if len(report.Warnings) != 1 || !strings.Contains(report.Warnings[0].String(), "index.html: the script in line 2 has line separators") {
		t.Errorf("warnings: %v", report.Warnings)
	}
}
