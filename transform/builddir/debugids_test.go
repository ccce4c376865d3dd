package builddir

import (
	"fmt"
	"math/rand/v2"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/sourcemap"
)

// The snippets with which build tools note a script's debug id in its page.
var debugIDSnippets = []string{
	"",
	// sentry-cli
	`!function(){try{var e="undefined"!=typeof window?window:"undefined"!=typeof global?global:"undefined"!=typeof globalThis?globalThis:"undefined"!=typeof self?self:{},n=(new e.Error).stack;n&&(e._sentryDebugIds=e._sentryDebugIds||{},e._sentryDebugIds[n]="ID")}catch(e){}}();`,
	// Sentry's plugins for bundlers
	`;{try{(function(){var e="undefined"!=typeof window?window:"undefined"!=typeof global?global:"undefined"!=typeof globalThis?globalThis:"undefined"!=typeof self?self:{},n=(new e.Error).stack;n&&(e._sentryDebugIds=e._sentryDebugIds||{},e._sentryDebugIds[n]="ID",e._sentryDebugIdIdentifier="sentry-dbid-ID");})();}catch(e){}};`,
	// Datadog's
	`(function(c,n){try{if(typeof window==='undefined')return;var w=window,m=w[n]=w[n]||{},s=new Error().stack;s&&(m[s]=c)}catch(e){}})({"service":"shop","version":"1","ddDebugId":"ID"},"DD_SOURCE_CODE_CONTEXT");`,
}

// A debugCase is a script with a debug id, and its map.
type debugCase struct {
	code, sourceMap string
	id, key         string // what the map calls its id, if it has one
}

// debugCases draws scripts as build tools leave them: either comment first, of each form, with
// each line ending, a map of each kind, snippets on top.
func debugCases(r *rand.Rand, n int) map[string]debugCase {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	cases := map[string]debugCase{}
	for i := range n {
		name := fmt.Sprintf("s%03d%s", i, pick(".js", ".mjs"))
		c := debugCase{id: fmt.Sprintf("85314830-023f-4cf1-a267-%012x", i), key: pick("debugId", "debug_id")}
		mapping := `"names":[],"mappings":"AAAA;AACA;AACA"`
		field := fmt.Sprintf(`"%s":"%s",`, c.key, c.id)
		c.sourceMap = pick(
			`{"version":3,"sources":["a.ts"],`+field+mapping+`}`,
			`{"version":3,`+field+`"sections":[{"offset":{"line":0,"column":0},"map":{"version":3,"sources":["a.ts"],`+mapping+`}}]}`,
			"")
		url := name + ".map"
		if c.sourceMap != "" && r.IntN(3) == 0 {
			url = sourcemap.InlineURL([]byte(c.sourceMap))
			c.sourceMap = ""
		} else if c.sourceMap == "" {
			c.key = "debugId" // the map will be ours
		}
		snippet := strings.ReplaceAll(pick(debugIDSnippets...), "ID", c.id)
		lines := []string{pick("", `"use strict";`) + snippet + strings.TrimSpace(loop("f"))}
		form := pick("//# %s", "//@ %s", "/*# %s */")
		comments := []string{fmt.Sprintf(form, "debugId="+c.id), fmt.Sprintf(form, "sourceMappingURL="+url)}
		if r.IntN(2) == 0 {
			comments[0], comments[1] = comments[1], comments[0]
		}
		if c.key == "debugId" && c.sourceMap == "" && r.IntN(3) == 0 {
			comments = []string{"//# debugId=" + c.id}
		}
		newline := pick("\n", "\r\n", "\r", "\u2028")
		c.code = strings.Join(append(lines, comments...), newline) + pick("", newline, newline+newline)
		cases[name] = c
	}
	return cases
}

var mapComment = regexp.MustCompile(`sourceMappingURL=[^\s\x{2028}]+`)

// endOf is what follows the code, without the URL of the map.
func endOf(code string) string {
	i := strings.LastIndexAny(strings.TrimRight(mapComment.ReplaceAllString(code, "sourceMappingURL=?"), "\n\r\u2028"), "}")
	return mapComment.ReplaceAllString(code, "sourceMappingURL=?")[i+1:]
}

func TestDebugIDsSurvive(t *testing.T) {
	must.NotForRaces(t)
	cases := debugCases(rand.New(rand.NewPCG(17, 3)), 300)
	in := site{}
	for name, c := range cases {
		in[name] = c.code
		if c.sourceMap != "" {
			in[name+".map"] = c.sourceMap
		}
	}
	out, _ := in.instrument(t, Options{})
	for name, c := range cases {
		code := out[name]
		if code == c.code {
			t.Fatalf("%s is not instrumented: %q", name, code)
		}
		must.Equal(t, sourcemap.DebugID([]byte(code)), c.id, name, code)
		wantEnd := endOf(c.code)
		if !strings.Contains(c.code, "sourceMappingURL=") {
			wantEnd = strings.TrimSuffix(wantEnd, "\n") + "\n//# sourceMappingURL=?\n" // where Sentry's tools put it: last
		}
		must.Equal(t, endOf(code), wantEnd, name)
		must.Equal(t, strings.Count(mapComment.ReplaceAllString(code, ""), c.id), strings.Count(mapComment.ReplaceAllString(c.code, ""), c.id), name, code)
		data := must.Get(sourcemap.Inline([]byte(code)))(t)
		if data == nil {
			data = []byte(out[path.Base(sourcemap.URL([]byte(code)))])
		}
		if !strings.Contains(string(data), fmt.Sprintf(`"%s":"%s"`, c.key, c.id)) {
			t.Errorf("%s: the map has no %s %s: %s", name, c.key, c.id, data)
		}
		table := must.Get(functable.Decode([]byte(out[name+tableSuffix])))(t)
		must.Equal(t, table.DebugID, c.id, name)
	}
}
