package site

import (
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/fieldprof/fieldprof/profile"
)

// build is a directory as it was at one time: instrumented files are in memory, and
// everything else is on disk.
type build struct {
	site     *Site
	root     *os.Root
	id       string              // changes with the files
	profiled bool                // by an earlier run: nothing is in memory
	files    map[string]*content // by path

	all   sync.Once // loadAll
	mu    sync.Mutex
	known map[string]profile.Script // by path
	pages map[string]*page          // by path and origin
}

// hidden reports whether a file or folder with this name is not to be served (.git, .env).
func hidden(name string) bool { return strings.HasPrefix(name, ".") && name != ".well-known" }

// nameOf turns the path of a URL into the path of a file below the directory, without a
// slash at its end; the directory itself is ".". Paths that no link contains, such as one
// with a backslash, name nothing.
func nameOf(urlPath string) (string, bool) {
	if !strings.HasPrefix(urlPath, "/") || len(urlPath) > 4096 || !utf8.ValidString(urlPath) || strings.ContainsAny(urlPath, "\\\x00") {
		return "", false
	}
	for part := range strings.SplitSeq(urlPath, "/") {
		if part == ".." || part != "." && hidden(part) || os.PathSeparator == '\\' && strings.ContainsRune(part, ':') {
			return "", false
		}
	}
	name := strings.TrimPrefix(path.Clean(urlPath), "/")
	if name == "" {
		name = "."
	}
	return name, true
}

// onDisk reports whether a path is a file that can be served from the directory.
func (b *build) onDisk(name string) bool {
	info, err := b.root.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

func (b *build) has(name string) bool { return b.files[name] != nil || b.onDisk(name) }

// find returns the file that answers for the path of a URL: itself, a folder's index.html,
// a page without its .html, and, if a page is navigated to, index.html for an app that
// routes paths itself. With moved, the URL must end in a slash first.
func (b *build) find(urlPath string, navigates bool) (name string, moved, ok bool) {
	name, ok = nameOf(urlPath)
	if !ok {
		return "", false, false
	}
	slash := strings.HasSuffix(urlPath, "/")
	switch index := path.Join(name, "index.html"); {
	case !slash && b.has(name):
		return name, false, true
	case b.has(index):
		return index, !slash, true
	case !slash && b.has(name+".html"):
		return name + ".html", false, true
	case navigates && b.site.SPA && b.has("index.html"):
		return "index.html", false, true
	}
	return "", false, false
}

// serve answers a request.
func (b *build) serve(w http.ResponseWriter, r *http.Request) {
	b.site.isolate(w.Header(), r)
	share(w.Header(), r)
	name, moved, ok := b.find(r.URL.Path, isNavigation(r))
	if ok && isScript(name) {
		varies(w.Header())
	}
	switch {
	case !ok:
		b.missing(w, r)
	case moved:
		// Relative, so that no path can name another host.
		location := "./" + url.PathEscape(path.Base(r.URL.Path)) + "/"
		if r.URL.RawQuery != "" {
			location += "?" + r.URL.RawQuery
		}
		w.Header().Set("Location", location)
		w.WriteHeader(http.StatusFound)
	case isPage(name):
		b.servePage(w, r, name)
	case startsWorker(r) && isScript(name):
		data, err := b.read(name)
		if err != nil {
			b.missing(w, r)
			return
		}
		newContent(b.site.withClient(data, b.id)).serve(w, r, name, "")
	case b.files[name] != nil:
		b.files[name].serve(w, r, name, "")
	default:
		b.serveDisk(w, r, name)
	}
}

func isPage(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".html" || ext == ".htm"
}

func isScript(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".js" || ext == ".mjs" || ext == ".cjs"
}

// missing answers for what does not exist, with the build's own page if it has one.
func (b *build) missing(w http.ResponseWriter, r *http.Request) {
	if isNavigation(r) && b.has("404.html") {
		if p, err := b.page(r, "404.html"); err == nil {
			w.Header().Del("Access-Control-Allow-Origin")
			w.Header().Set("Content-Type", typeOf("404.html", p.charset))
			w.Header().Set("Cache-Control", "no-cache")
			w.WriteHeader(http.StatusNotFound)
			if r.Method != http.MethodHead {
				w.Write(p.data)
			}
			return
		}
	}
	http.Error(w, "404: the build has no such file", http.StatusNotFound)
}

// maxRead is the size of the largest page or worker's script that is read into memory.
const maxRead = 256 << 20

// read reads a file of the build.
func (b *build) read(name string) ([]byte, error) {
	if c := b.files[name]; c != nil {
		return c.data, nil
	}
	info, err := b.root.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxRead {
		return nil, errTooLarge
	}
	return b.root.ReadFile(name)
}
