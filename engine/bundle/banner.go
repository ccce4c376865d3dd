package bundle

import (
	"bytes"
	"slices"
	"strings"
)

// Names in a bundle that no program has.
const (
	metaName     = "fieldprof$meta"     // import.meta, which a script has not, and another module has of its own
	constantName = "fieldprof$constant" // to which nothing can be assigned
	readableName = "fieldprof$readable" // makes such a thing of one that has a value
)

// begin puts the banner before a bundle that is made: what it has to say, only the finished bundle shows.
func (m *maker) begin(b *Bundle, made *metafile) {
	banner := m.banner(!m.awaits && made.isStrict(), m.target.Node && bytes.Contains(b.Code, []byte(metaName)))
	if banner == "" {
		return
	}
	at := 0
	if bytes.HasPrefix(b.Code, []byte("#!")) {
		at = bytes.IndexByte(b.Code, '\n') + 1
	}
	b.Code = slices.Concat(b.Code[:at], []byte(banner), []byte("\n"), b.Code[at:])
	lines := strings.Repeat(";", strings.Count(banner, "\n")+1)
	b.SourceMap = bytes.Replace(b.SourceMap, []byte(mappings), []byte(mappings+lines), 1)
}

// mappings is how those begin in esbuild's maps. In a string of one its quotes are escaped.
const mappings = `"mappings": "`

// banner is what comes before a bundle, with what it uses.
func (m *maker) banner(isStrict, usesMeta bool) string {
	var b strings.Builder
	if isStrict {
		b.WriteString(`"use strict";`)
	}
	if m.awaits && m.target.Node {
		b.WriteString("import{createRequire as fieldprof$createRequire}from'node:module';const require=fieldprof$createRequire(" + quote(m.entry) + ");")
	}
	if m.constants != nil {
		b.WriteString(constant)
	}
	if usesMeta {
		b.WriteString("const " + metaName + "=(" + meta + ")(require('node:module'),require('node:url')," + quote(m.entry) + ");")
	}
	return b.String()
}

// constant has the engine throw its own error, at the place of the assignment.
const constant = "const " + constantName + "=void 0," + readableName + "=get=>({get $(){return get()},set $(to){" + constantName + "=to}});"

// meta makes import.meta as Node does in the entry file.
const meta = `(module, url, filename) => {
	const load = module.createRequire(filename), { href } = url.pathToFileURL(filename);
	return {
		__proto__: null,
		dirname: require('node:path').dirname(filename),
		filename,
		resolve(specifier) {
			const name = String(specifier);
			if (module.isBuiltin(name)) return name.startsWith('node:') ? name : 'node:' + name;
			if (/^(?:[a-z][a-z0-9+.-]*:|\.{0,2}\/)/i.test(name)) return new url.URL(name, href).href;
			try {
				return url.pathToFileURL(load.resolve(name)).href;
			} catch (error) {
				if (error.code !== 'MODULE_NOT_FOUND') throw error;
				throw Object.assign(new Error("Cannot find package '" + name.match(/^(?:@[^/]*\/)?[^/]*/)[0] + "' imported from " + filename), { code: 'ERR_MODULE_NOT_FOUND' });
			}
		},
		url: href,
	};
}`
