package bundle

import "strings"

// Names in a bundle that no program has.
const (
	metaName     = "fieldprof$meta"     // import.meta, which a script has not, and another module has of its own
	constantName = "fieldprof$constant" // to which nothing can be assigned
	readableName = "fieldprof$readable" // makes such a thing of one that has a value
)

// banner is what comes before a bundle.
func (m *maker) banner() string {
	var b strings.Builder
	if m.strict {
		b.WriteString(`"use strict";`)
	}
	if m.awaits && m.target.Node {
		b.WriteString("import{createRequire as fieldprof$createRequire}from'node:module';const require=fieldprof$createRequire(" + quote(m.entry) + ");")
	}
	if m.constants != nil {
		b.WriteString(constant)
	}
	if m.meta {
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
