package site

import (
	"crypto/tls"
	"encoding/json"
	"io/fs"
	"maps"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/sourcemap"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// Script returns the function table and the source map of a script or page, by the URL that
// stacks show, as they were in a build. A URL of another site has none.
func (s *Site) Script(build, address string) (profile.Script, bool) {
	u, err := url.Parse(address)
	if err != nil || len(address) > 16<<10 || u.Host == "" || u.Opaque != "" || u.Scheme != "http" && u.Scheme != "https" || !s.isOurs(u.Host) || strings.HasPrefix(u.Path, Folder) {
		return profile.Script{}, false
	}
	return s.content.script(build, u)
}

// Has reports whether Script knows a build.
func (s *Site) Has(build string) bool { return s.content.has(build) }

// Text returns the text of an original source, by the name that profile.Symbolize gives it.
func (s *Site) Text(file string) (string, bool) { return s.content.text(file) }

// noteHost remembers under which name a page was asked for.
func (s *Site) noteHost(host string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.hosts) < 64 {
		s.hosts[host] = true
	}
}

// isOurs reports whether a host in a URL is this server: one that was asked for, or, since
// a page may be older than the server, this machine's or any address. Another port that is not
// asked for is another server's, unless nothing was asked for yet.
func (s *Site) isOurs(host string) bool {
	u := &url.URL{Host: host}
	s.mu.Lock()
	asked, isPort := s.hosts[host], len(s.hosts) == 0
	for known := range s.hosts {
		isPort = isPort || (&url.URL{Host: known}).Port() == u.Port()
	}
	s.mu.Unlock()
	name := u.Hostname()
	_, err := netip.ParseAddr(name)
	return asked || isPort && (err == nil || name == "localhost" || strings.HasSuffix(name, ".localhost"))
}

// script knows a file of the build by its URL.
func (b *build) script(u *url.URL) (profile.Script, bool) {
	name, moved, ok := b.find(u.Path, !isScript(u.Path))
	if !ok || moved {
		return profile.Script{}, false
	}
	if isPage(name) {
		r := &http.Request{Host: u.Host, URL: u, Header: http.Header{}}
		if u.Scheme == "https" {
			r.TLS = &tls.ConnectionState{}
		}
		p, err := b.page(r, name)
		if err != nil || p.table == nil {
			return profile.Script{}, false
		}
		return profile.Script{Table: p.table}, true
	}
	script := b.load(name)
	return script, script != profile.Script{}
}

// load reads the table and the map of a script, once.
func (b *build) load(name string) profile.Script {
	b.mu.Lock()
	script, known := b.known[name]
	b.mu.Unlock()
	if known {
		return script
	}
	script = profile.Script{Table: b.table(name), Map: b.sourceMap(name)}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.known == nil {
		b.known = map[string]profile.Script{}
	}
	if len(b.known) < 100_000 {
		b.known[name] = script
	}
	return script
}

// loadAll reads the maps of all scripts: a panel may show a source of a script that has
// not been asked about since the build.
func (b *build) loadAll() {
	var names []string
	for name := range b.files {
		names = append(names, name)
	}
	var manifest struct{ Scripts []string }
	if data, err := b.read(builddir.Folder + "/manifest.json"); err == nil && b.profiled && json.Unmarshal(data, &manifest) == nil {
		names = manifest.Scripts
	}
	for _, name := range names {
		if isScript(name) && fs.ValidPath(name) {
			b.load(name)
		}
	}
}

// table reads the function table of a file, or returns nil.
func (b *build) table(name string) *functable.Table {
	data, err := b.read(name + tableSuffix)
	if err != nil {
		return nil
	}
	table, err := functable.Decode(data)
	if err != nil {
		b.site.log("%s: %v", name+tableSuffix, err)
		return nil
	}
	return table
}

// sourceMap reads the source map of a script, or returns nil. It is in the script, or in a
// file of the build.
func (b *build) sourceMap(name string) *sourcemap.Map {
	if !isScript(name) {
		return nil
	}
	text, err := b.read(name)
	if err != nil {
		return nil
	}
	data, err := sourcemap.Inline(text)
	if data == nil && err == nil {
		at := name + ".map"
		if u, err := url.Parse(sourcemap.URL(text)); err == nil && u.Path != "" && u.Scheme == "" && u.Host == "" && !strings.HasPrefix(u.Path, "/") {
			at = path.Join(path.Dir(name), u.Path)
		} else if err == nil && strings.HasPrefix(u.Path, "/") {
			at = b.below(u.Path, at)
		}
		data, err = b.read(at)
		if err != nil {
			return nil
		}
	}
	if err == nil {
		var m *sourcemap.Map
		if m, err = sourcemap.Parse(data); err == nil {
			return m
		}
	}
	b.site.log("%s: %v", name, err)
	return nil
}

// below finds the file that a path from the root of a site means, which the build may be
// deployed below.
func (b *build) below(urlPath, otherwise string) string {
	for rest := strings.TrimPrefix(path.Clean(urlPath), "/"); rest != ""; _, rest, _ = strings.Cut(rest, "/") {
		if b.has(rest) {
			return rest
		}
	}
	return otherwise
}

// text returns the text of an original source: of the scripts that were asked about first.
func (b *build) text(file string) (string, bool) {
	if text, ok := b.content(file); ok {
		return text, true
	}
	b.all.Do(b.loadAll)
	if text, ok := b.content(file); ok {
		return text, true
	}
	return b.deployed(file)
}

// content returns what the maps that were read say a source is.
func (b *build) content(file string) (string, bool) {
	b.mu.Lock()
	known := slices.Collect(maps.Values(b.known))
	b.mu.Unlock()
	for _, script := range known {
		if script.Map == nil {
			continue
		}
		if text, ok := script.Map.Content(file); ok {
			return text, true
		}
	}
	return "", false
}

// deployed returns the text of a file as it was before it was instrumented, by its name in
// our own maps.
func (b *build) deployed(file string) (string, bool) {
	u, err := url.Parse(file)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || !b.site.isOurs(u.Host) {
		return "", false
	}
	name, _, ok := b.find(u.Path, true)
	if !ok || !isScript(name) && !isPage(name) {
		return "", false
	}
	text, err := b.read(name)
	return string(text), err == nil
}

// tableSuffix follows a file's name in the name of its function table.
const tableSuffix = ".functions.json"
