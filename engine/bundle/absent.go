package bundle

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// absent is the namespace of modules that are not there. A program may not come to their import, or catch the error: so each
// is a script of its own, in which the error is thrown that Node would throw, at the same time. One that is
// missing as the program starts remains an error of the bundle, which shows the line.
const absent = "absent"

// absence is an import of a module that is not there.
type absence struct {
	api.OnResolveArgs
	note string // for engines other than Node
}

// absentPlugin gives esbuild a script in the place of each module that is not there.
func (m *maker) absentPlugin() api.Plugin {
	return api.Plugin{Name: absent, Setup: func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: `.*`}, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
			if _, again := args.PluginData.(asked); again || args.Namespace != "file" {
				return api.OnResolveResult{}, nil
			}
			return m.resolve(build, args), nil
		})
		build.OnLoad(api.OnLoadOptions{Filter: `.*`, Namespace: absent}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
			missing, _ := args.PluginData.(absence)
			contents := missing.script(m.target.Node)
			return api.OnLoadResult{Contents: &contents, ResolveDir: missing.ResolveDir, Loader: api.LoaderJS}, nil
		})
	}}
}

// resolve says where a module is if esbuild would not find it, or not as Node does.
func (m *maker) resolve(build api.PluginBuild, args api.OnResolveArgs) api.OnResolveResult {
	isImport := args.Kind == api.ResolveJSImportStatement
	switch args.Kind {
	case api.ResolveJSImportStatement, api.ResolveJSRequireCall, api.ResolveJSDynamicImport:
	case api.ResolveJSRequireResolve: // its result is a path, whatever is bundled
		switch {
		case !m.target.Node:
			return api.OnResolveResult{}
		case args.ResolveDir == filepath.Dir(m.entry): // where the bundle's require looks, which says the name in its errors
			return api.OnResolveResult{Path: args.Path, External: true}
		}
		return api.OnResolveResult{Path: placeOf(args), External: true}
	default:
		return api.OnResolveResult{}
	}
	if m.target.Node && isAddon(args.Path) {
		return api.OnResolveResult{Path: placeOf(args), External: true}
	}
	found := ask(build, args)
	switch {
	case len(found.Errors) == 0 && m.target.Node && isAddon(found.Path):
		return api.OnResolveResult{Path: found.Path, External: true}
	case len(found.Errors) == 0, isImport && m.complete:
		return api.OnResolveResult{} // esbuild says the same again
	case m.target.Node && args.Kind == api.ResolveJSDynamicImport && isURL.MatchString(args.Path):
		return api.OnResolveResult{Path: args.Path, External: true}
	case m.target.Node && args.Kind == api.ResolveJSDynamicImport && isPath(args.Path): // the program may write the file first
		return api.OnResolveResult{Path: (&url.URL{Scheme: "file", Path: filepath.ToSlash(placeOf(args))}).String(), External: true}
	}
	missing := absence{OnResolveArgs: args}
	if isBuiltin(found.Errors) {
		missing.note = m.target.lacksModules()
	}
	word := "import"
	if args.Kind == api.ResolveJSRequireCall {
		word = "require"
	}
	return api.OnResolveResult{Path: word + " " + args.Path + " " + args.Importer, Namespace: absent, PluginData: missing}
}

// isAddon reports whether a file is machine code, which is left to Node's require.
func isAddon(path string) bool { return filepath.Ext(path) == ".node" }

// isURL matches the scheme that a URL begins with, but not the letter of a drive.
var isURL = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]+:`)

// isPath reports whether a module is named by its path, not by the name of a package.
func isPath(path string) bool {
	return strings.HasPrefix(path, "./") || strings.HasPrefix(path, "../") || path == "." || path == ".." || filepath.IsAbs(path)
}

// placeOf is the absolute path of a module, or the name of a package.
func placeOf(args api.OnResolveArgs) string {
	if !isPath(args.Path) || filepath.IsAbs(args.Path) {
		return args.Path
	}
	return filepath.Join(args.ResolveDir, filepath.FromSlash(args.Path))
}

// script throws the error: what Node would throw, by Node if the program runs there.
func (a *absence) script(inNode bool) string {
	text, code := fmt.Sprintf("Cannot find package '%s' imported from %s", packageOf(a.Path), a.Importer), "ERR_MODULE_NOT_FOUND"
	switch {
	case a.Kind == api.ResolveJSRequireCall:
		text, code = fmt.Sprintf("Cannot find module '%s'\nRequire stack:\n- %s", a.Path, a.Importer), "MODULE_NOT_FOUND"
	case isPath(a.Path):
		text = fmt.Sprintf("Cannot find module '%s' imported from %s", placeOf(a.OnResolveArgs), a.Importer)
	}
	if a.note != "" {
		text += "\n" + a.note
	}
	fail := fmt.Sprintf("Object.assign(new Error(%s), { code: %q })", quote(text), code)
	if !inNode {
		return "throw " + fail
	}
	load := fmt.Sprintf("require('node:module').createRequire(%s)", quote(a.Importer))
	if a.Kind == api.ResolveJSRequireCall {
		return fmt.Sprintf("module.exports = %s(%s)", load, quote(a.Path))
	}
	return fmt.Sprintf("const load = %s\nlet place\ntry { place = load.resolve(%s) } catch (error) { throw error.code === 'MODULE_NOT_FOUND' ? %s : error }\nmodule.exports = load(place)",
		load, quote(a.Path), fail)
}

// packageOf is the name of a package in a module's.
func packageOf(path string) string {
	parts := strings.SplitN(path, "/", 3)
	if strings.HasPrefix(path, "@") && len(parts) > 1 {
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}

// quote is a text as a literal.
func quote(text string) string {
	quoted, _ := json.Marshal(text) // a string has no errors
	return string(quoted)
}
