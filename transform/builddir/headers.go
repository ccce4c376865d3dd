package builddir

import (
	"path"
	"sync"

	"github.com/fieldprof/fieldprof/transform/internal/htmlscan"
)

// Some hosts take the policies of headers from files of the tree: _headers (Netlify, Cloudflare
// Pages), .htaccess (Apache), and JSON (staticwebapp.config.json, vercel.json). Hashes of inline
// scripts in them are renewed like digests of files.

// isHeaders reports whether a file that is no JSON may hold policies.
func isHeaders(f *file) bool {
	name := path.Base(f.path)
	return name == "_headers" || name == ".htaccess"
}

// inlineHashes finds the hashes that take the place of those of inline scripts, once they are
// asked for. Scripts with the same text may have become different ones, and then a policy must
// allow each: sha256-A stands in quotes, and becomes sha256-B' 'sha256-C.
func (w *work) inlineHashes() func() map[string]string {
	return sync.OnceValue(func() map[string]string {
		renewed := map[string]string{}
		for _, p := range w.pages {
			if !p.done.changed {
				continue
			}
			for i := range p.seen.Scripts {
				s := &p.seen.Scripts[i]
				if s.Src != nil || !s.Closed {
					continue
				}
				eachHash(p.src[s.ContentStart:s.ContentEnd], p.contentNow(s), func(old, now string) {
					old, now = unquoted(old), unquoted(now)
					if known := renewed[old]; known != "" && known != now {
						now = known + "' '" + now
					}
					renewed[old] = now
				})
			}
		}
		return renewed
	})
}

func unquoted(source string) string { return source[1 : len(source)-1] }

// contentNow is what an inline script holds after the page's edits.
func (p *pageFile) contentNow(s *htmlscan.Script) []byte {
	var edits []pageEdit
	for _, e := range p.edits {
		if e.start >= s.ContentStart && e.end <= s.ContentEnd {
			edits = append(edits, pageEdit{e.start - s.ContentStart, e.end - s.ContentStart, e.text})
		}
	}
	return edited(p.src[s.ContentStart:s.ContentEnd], edits)
}
