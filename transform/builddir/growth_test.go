package builddir

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/transform/internal/htmlscan"
)

// growing are sites of n alike parts. A tree comes from elsewhere: four times the
// parts must take about four times the work.
var growing = map[string]func(n int) (site, Options){
	"inline scripts hashed in one policy": func(n int) (site, Options) {
		return site{"index.html": policyOf(inlineHashes(n)) + inlineScripts(n)}, Options{}
	},
	"inline scripts hashed one by one in policies": func(n int) (site, Options) {
		var page strings.Builder
		for _, hash := range inlineHashes(n) {
			page.WriteString(policyOf([]string{hash}))
		}
		return site{"index.html": page.String() + inlineScripts(n)}, Options{}
	},
	"choosers under a policy": func(n int) (site, Options) {
		in := manyScripts(n)
		in["index.html"] = policyOf(inlineHashes(n)) + namingThem(n)
		return in, Options{Sample: 0.5}
	},
	"one script with its digest, named again and again": func(n int) (site, Options) {
		chunk := loop("chunk") + "//" + strings.Repeat("x", 64*n) + "\n"
		tag := `<script src=chunk.js integrity=` + sha384(chunk) + `></script>`
		return site{"chunk.js": chunk, "index.html": strings.Repeat(tag, n)}, Options{Sample: 0.5}
	},
	"scripts that change for a digest only": func(n int) (site, Options) {
		in := site{"a.js": loop("a")}
		digest := sha384(in["a.js"])
		for i := range n {
			in[fmt.Sprintf("b%d.js", i)] = fmt.Sprintf("var h%d=%q;//%s", i, digest, strings.Repeat("x", 1<<10))
		}
		return in, Options{}
	},
	"twins": func(n int) (site, Options) {
		in := site{"holder.json": `["` + sha384(loop("twin")) + `"]`}
		var page strings.Builder
		for i := range n {
			in[fmt.Sprintf("t%d.js", i)] = loop("twin")
			fmt.Fprintf(&page, `<script src=t%d.js></script>`, i)
		}
		in["index.html"] = page.String()
		return in, Options{}
	},
	"paths of many folders": func(n int) (site, Options) {
		in := site{"a.js": loop("a")}
		in["index.html"] = `<script src="/` + strings.Repeat("x/", 8*n) + `a.js"></script>`
		return in, Options{}
	},
	"a long base": func(n int) (site, Options) {
		in := manyScripts(n)
		in["index.html"] = `<base href="/` + strings.Repeat("x/", 32*n) + `">` + namingThem(n)
		return in, Options{}
	},
	"lists of service workers": func(n int) (site, Options) {
		var list strings.Builder
		for i := range n {
			fmt.Fprintf(&list, `{url:"x%d.html",revision:null},`, i)
		}
		return site{"sw.js": loop("sw") + "precacheAndRoute([" + list.String() + `{url:"index.html",revision:null}])`, "index.html": ""}, Options{}
	},
}

// inlineText is an inline script that changes.
func inlineText(i int) string { return fmt.Sprintf("function f%d(n) { while (n--); return n; }", i) }

func inlineScripts(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("<script>" + inlineText(i) + "</script>\n")
	}
	return b.String()
}

func inlineHashes(n int) (hashes []string) {
	for i := range n {
		hashes = append(hashes, htmlscan.Hash([]byte(inlineText(i)), "sha256"))
	}
	return hashes
}

func policyOf(hashes []string) string {
	return `<meta http-equiv="Content-Security-Policy" content="script-src ` + strings.Join(hashes, " ") + `">` + "\n"
}

func manyScripts(n int) site {
	in := site{}
	for i := range n {
		in[fmt.Sprintf("s%d.js", i)] = loop("s")
	}
	return in
}

func namingThem(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "<script src=s%d.js></script>\n", i)
	}
	return b.String()
}

// allocated is what a run takes of memory in all: work that the machine's load does
// not change.
func allocated(t *testing.T, in site, options Options) float64 {
	t.Helper()
	options.Workers, options.NoSizes = 1, true
	files := in.files()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, _, err := Files(context.Background(), files, options); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc)
}

func TestWorkGrowsWithTheTree(t *testing.T) {
	must.NotForRaces(t)
	const few = 250
	for name, make := range growing {
		t.Run(name, func(t *testing.T) {
			in, options := make(few)
			allocated(t, in, options) // one-time allocations are made now
			small := allocated(t, in, options)
			in, options = make(4 * few)
			large := allocated(t, in, options)
			t.Logf("%.1f MB, of four times the parts %.1f MB: %.1f times", small/1e6, large/1e6, large/small)
			if large > 6*small {
				t.Errorf("four times the parts take %.1f times the memory", large/small)
			}
		})
	}
}
