package builddir

import "path"

// Some hosts take the policies of headers from files of the tree: _headers (Netlify, Cloudflare
// Pages), .htaccess (Apache), and JSON (staticwebapp.config.json, vercel.json). Hashes of inline
// scripts in them are renewed like digests of files.

// isHeaders reports whether a file that is no JSON may hold policies.
func isHeaders(f *file) bool {
	name := path.Base(f.path)
	return name == "_headers" || name == ".htaccess"
}
