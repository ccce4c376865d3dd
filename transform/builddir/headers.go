package builddir

import (
	"path"
	"slices"
	"strings"
)

// Some hosts take the policies of headers from files of the tree: _headers (Netlify, Cloudflare
// Pages), .htaccess (Apache), JSON (staticwebapp.config.json, vercel.json, firebase.json), netlify.toml, web.config (IIS), YAML
// (Render, Amplify), and the configuration of nginx and Caddy. Hashes of inline scripts in them are renewed like digests of files.

// isHeaders reports whether a file that is no JSON may hold policies.
func isHeaders(f *file) bool {
	name := path.Base(f.path)
	return name == "_headers" || name == "Caddyfile" || slices.Contains(configuring, strings.ToLower(path.Ext(name)))
}

// configuring are the extensions of such files.
var configuring = []string{".htaccess", ".toml", ".yaml", ".yml", ".conf", ".config"}
