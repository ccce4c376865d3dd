package site

import (
	"crypto/sha256"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/sourcemap"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// A dev server sends modules one by one. They import their bindings, from one file of this
// server for all, because with the import cycles that modules of an app may have, functions
// run before their module does. Classic scripts take their bindings from the page's runtime, each
// with names that it does not use itself.

// scriptText changes a script that passes: checks go in, and a worker gets the client.
func (p *proxy) scriptText(text []byte, header http.Header, a *ask) ([]byte, error) {
	code := text
	name := strings.TrimPrefix(path.Clean("/"+a.URL.Path), "/")
	keep, excluded := builddir.Keeper(p.site.Include, p.site.Exclude, name)
	var err error
	if !excluded {
		var s *passed
		if s, err = p.instrument(text, header, a, name, keep); err == nil {
			code = s.code
		}
	}
	if !startsWorker(a.Request) {
		return code, err
	}
	from, to := placesOf(a.Request)
	for _, name := range policyNames {
		if header.Get(name) != "" {
			header[http.CanonicalHeaderKey(name)] = builddir.AllowInPolicies(header.Values(name), from, to)
		}
	}
	return p.site.withClient(code, ""), err
}

// goalOf is the grammar that a request says a script has. Only a classic one is asked for
// without CORS.
func goalOf(a *ask) transform.Goal {
	if a.Header.Get("Sec-Fetch-Mode") == "no-cors" {
		return transform.Script
	}
	return transform.Auto
}

// instrument makes the new script, unless it was made from the same text before.
func (p *proxy) instrument(text []byte, header http.Header, a *ask, name string, keep func(string) bool) (*passed, error) {
	o := transform.Options{
		Selection: p.site.Selection, File: name, Goal: goalOf(a), Keep: keep, ChecksModule: Folder + "checks.js", MapTo: "fieldprof:///" + (&url.URL{Path: name}).EscapedPath(),
	}
	if dest := a.Header.Get("Sec-Fetch-Dest"); dest != "script" {
		o.Loader = Folder + "runtime.js" // it may be a worker's
	}
	of := made{sha256.Sum256(text), o.Goal, o.Loader}
	if s := p.memory.get(a.target); s != nil && s.of == of {
		p.memory.keep(a.target, s, isWebKit(a.UserAgent()))
		return s, nil
	}
	found := p.mapOf(text, header, a)
	p.gate <- struct{}{}
	defer func() { <-p.gate }()
	o.SourceMap = found.data
	result, err := transform.Transform(text, o)
	if err != nil && o.SourceMap != nil {
		p.site.log("%s: %v; its map is not used", a.target, err)
		o.SourceMap, found = nil, foundMap{}
		result, err = transform.Transform(text, o)
	}
	if err != nil {
		return nil, err
	}
	if !transform.Restores(result.Code, result.Insertions, text) {
		return nil, errChanges
	}
	for _, warning := range result.Warnings {
		p.site.log("%s", warning)
	}
	if inStrings.Match(text) {
		p.site.log("%s: its modules are in strings, where no checks go: set devtool: 'source-map' in webpack's configuration", a.target)
	}
	s := &passed{of: of, code: result.Code, table: result.Table, json: result.Map}
	if found.inline && len(result.Insertions) > 0 {
		s.code, _ = sourcemap.ReplaceURL(s.code, sourcemap.InlineURL(result.Map))
	}
	if found.target != "" {
		s.mapTarget = found.target
	}
	p.memory.keep(a.target, s, isWebKit(a.UserAgent()))
	return s, nil
}

// inStrings finds modules as webpack's "eval" devtools write them, which are the default of
// its development mode.
var inStrings = regexp.MustCompile(`(?m)^eval\(.*\bsourceURL=webpack`)

// foundMap is the source map of a script that passes.
type foundMap struct {
	data   []byte
	inline bool   // it is in the script
	target string // else: the path and query that it has
}

// mapOf finds a script's map: in the script, or on the dev server.
func (p *proxy) mapOf(text []byte, header http.Header, a *ask) foundMap {
	data, err := sourcemap.Inline(text)
	if err != nil {
		p.site.log("%s: %v; its map is not used", a.target, err)
		return foundMap{}
	}
	if data != nil {
		return foundMap{data: fromRoot(data, a.URL.Path), inline: true}
	}
	reference := header.Get("SourceMap")
	if reference == "" {
		reference = header.Get("X-SourceMap")
	}
	if reference == "" {
		reference = sourcemap.URL(text)
	}
	if reference == "" || len(reference) > 4096 || !p.isHere(a, reference) {
		return foundMap{}
	}
	u, err := a.URL.Parse(reference)
	if err != nil || !strings.HasPrefix(u.RequestURI(), "/") { // else it would continue the server's name
		return foundMap{}
	}
	target := u.RequestURI()
	if data := p.fetch(a, target); data != nil {
		return foundMap{data: fromRoot(data, u.Path), target: target}
	}
	return foundMap{}
}

// largestMap bounds a map that is fetched.
const largestMap = 64 << 20

// fetch gets a map from the dev server, or nil.
func (p *proxy) fetch(a *ask, target string) []byte {
	r, err := http.NewRequestWithContext(a.Context(), http.MethodGet, p.upstream.String()+target, nil)
	if err != nil {
		return nil
	}
	client := http.Client{Transport: p.reverse.Transport, Timeout: 30 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Do(r)
	if err != nil {
		p.site.log("%s: its source map: %v", a.target, err)
		return nil
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(io.LimitReader(answer.Body, largestMap+1))
	if err != nil || answer.StatusCode != http.StatusOK || len(data) > largestMap {
		p.site.log("%s: its source map, %s, is missing or too large", a.target, target)
		return nil
	}
	return data
}

// fromRoot makes the names of sources in a map of one module, such as "App.vue", paths from
// the root of the site, so that modules in different folders differ. Names that are
// complete stay.
func fromRoot(data []byte, at string) []byte {
	var m map[string]json.RawMessage
	var sources []*string
	if json.Unmarshal(data, &m) != nil || json.Unmarshal(m["sources"], &sources) != nil {
		return data // an indexed one, or Transform says what is wrong
	}
	var root string
	json.Unmarshal(m["sourceRoot"], &root)
	if complete(root) {
		return data
	}
	for i, s := range sources {
		if s != nil && *s != "" && !complete(*s) {
			name := path.Join("/", path.Dir(at), root, *s)
			sources[i] = &name
		}
	}
	delete(m, "sourceRoot")
	m["sources"], _ = json.Marshal(sources)
	changed, err := json.Marshal(m)
	if err != nil {
		return data
	}
	return changed
}

// complete reports whether a name of a source says where it is by itself.
func complete(name string) bool {
	return strings.HasPrefix(name, "/") || strings.Contains(name, ":") || strings.HasPrefix(name, `\`) || strings.ContainsRune(name, 0)
}
