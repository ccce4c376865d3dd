// Package site serves the pages that are to be profiled: a build, clean or profiled, or
// what a dev server sends.
//
//   - A clean build is instrumented in memory (transform/builddir), and again after it has
//     changed on disk (watch.go). Other files of a build come from the disk (disk.go).
//   - A build that `instrument` made is served unchanged.
//   - In front of a dev server, answers are instrumented as they pass (proxy.go, rewrite.go).
//
// Every page gets the live client before its own scripts, and so does every worker, at its
// end (client.go). Answers have the headers that profiling needs (headers.go), and
// the site knows the function tables and source maps of what it sent (scripts.go).
//
// Everything a request says is hostile. No path leads out of the directory, not even by a
// link, and no text of a request gets into a page without being escaped.
package site

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// Folder is where the server's own files are, as a URL path.
const Folder = "/__fieldprof/"

// Options chooses what a Site serves. Input or Proxy is all it needs.
type Options struct {
	Input string // a directory
	Proxy string // or the URL of a dev server

	transform.Selection
	// Include and Exclude are globs over the paths of files and of original sources.
	Include, Exclude []string

	// Isolated sends the headers that profiling is best with. Without them pages are as
	// they are in the field.
	Isolated bool
	// SPA answers a navigation to what does not exist with index.html.
	SPA bool
	// Source is the token that pages and workers show when they connect.
	Source string
	// Overlay asks for a button in each page.
	Overlay bool
	// Log, unless nil, is called with each warning, once. It may be called at any time.
	Log func(line string)

	now func() time.Time // except in tests, time.Now
}

// Site serves pages. It is safe for concurrent use.
type Site struct {
	Options
	ctx     context.Context
	content source
	own     *ownFiles

	mu     sync.Mutex
	logged map[string]bool
	hosts  map[string]bool // under which pages were asked for
}

// source is where the content comes from.
type source interface {
	http.Handler
	// script knows a script or page by the URL that stacks show, as it was in a build.
	script(build string, u *url.URL) (profile.Script, bool)
	// has reports whether a build is known.
	has(build string) bool
	// failure says why pages are not from the newest content, "" if they are.
	failure() string
	// text is the text of an original source.
	text(file string) (string, bool)
}

// New prepares a site. It reads and instruments a clean build, and fails if that cannot be
// done. The site works until ctx ends.
func New(ctx context.Context, o Options) (*Site, error) {
	if o.now == nil {
		o.now = time.Now
	}
	if _, err := transform.Transform(nil, transform.Options{Selection: o.Selection}); err != nil {
		return nil, err
	}
	if _, _, err := builddir.Serve(builddir.ServedPage{}, o.serving()); err != nil {
		return nil, err // a bad glob
	}
	s := &Site{Options: o, ctx: ctx, own: newOwnFiles(), logged: map[string]bool{}, hosts: map[string]bool{}}
	var err error
	switch {
	case o.Input != "" && o.Proxy != "":
		return nil, errors.New("both a directory and a server to stand in front of: choose one")
	case o.Proxy != "":
		s.content, err = newProxy(s)
	case o.Input != "":
		s.content, err = newDirectory(s)
	default:
		return nil, errors.New("name the directory to serve")
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (o *Options) serving() builddir.ServeOptions {
	return builddir.ServeOptions{Selection: o.Selection, Include: o.Include, Exclude: o.Exclude}
}

// ServeHTTP answers a request for anything but the panel and the sockets.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.noteHost(r.Host)
	if name, ok := strings.CutPrefix(r.URL.Path, Folder); ok {
		s.isolate(w.Header(), r)
		s.own.serve(w, r, name, s.content.failure())
		return
	}
	s.content.ServeHTTP(w, r)
}

// log warns once of the same thing.
func (s *Site) log(format string, values ...any) {
	line := fmt.Sprintf(format, values...)
	s.mu.Lock()
	known := s.logged[line]
	if len(s.logged) < 10_000 {
		s.logged[line] = true
	}
	s.mu.Unlock()
	if !known && s.Log != nil {
		s.Log(line)
	}
}

// forget makes a warning new again, because its cause was gone for a while.
func (s *Site) forget(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.logged, line)
}
