package main

import (
	"bufio"
	"bytes"
	"fmt"
	"html"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// handler serves the suite as the suite's own server does, as far as its tests
// need that.
type handler struct {
	checkout fs.FS // the harness and the interfaces
	suite    fs.FS // the tests, instrumented, with the runtime beside them
}

// reporter stands in for the harness' testharnessreport.js: it leaves what was
// found where the driver of the browsers looks.
const reporter = `setup({output: false});
add_completion_callback((tests, harness) => {
  window.found = {status: harness.status, message: harness.message, tests: tests.map(({name, status, message}) => ({name, status, message}))};
});`

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	switch {
	case name == "resources/testharnessreport.js":
		send(w, name, []byte(reporter))
	case name == "common/redirect.py":
		redirect(w, r)
	case name == "favicon.ico":
		w.WriteHeader(http.StatusNoContent)
	default:
		h.serveFile(w, r, name)
	}
}

// redirect is common/redirect.py.
func redirect(w http.ResponseWriter, r *http.Request) {
	status, err := strconv.Atoi(r.FormValue("status"))
	if err != nil || status < 300 || status > 399 {
		status = http.StatusFound
	}
	w.Header().Set("Location", r.FormValue("location"))
	w.WriteHeader(status)
}

func (h *handler) serveFile(w http.ResponseWriter, r *http.Request, name string) {
	files := h.checkout
	if strings.HasPrefix(name, suiteFolder+"/") || strings.HasPrefix(name, "fieldprof/") {
		files = h.suite
	}
	text, err := fs.ReadFile(files, name)
	if err != nil && name == "resources/WebIDLParser.js" {
		text, err = fs.ReadFile(files, "resources/webidl2/lib/webidl2.js") // an alias in the suite's server
	}
	of := name // the file that the headers are for
	if err != nil {
		if text, of, err = wrapper(files, name); err != nil {
			http.NotFound(w, r)
			return
		}
	}
	for _, headers := range []string{path.Dir(of) + "/__dir__.headers", of + ".headers"} {
		addHeaders(w.Header(), files, headers)
	}
	send(w, name, text)
}

func send(w http.ResponseWriter, name string, text []byte) {
	if w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
	}
	w.Write(text)
}

// addHeaders adds the headers that a file lists, if it is there.
func addHeaders(header http.Header, files fs.FS, name string) {
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		if key, value, found := strings.Cut(lines.Text(), ":"); found {
			header.Set(strings.TrimSpace(key), strings.TrimSpace(value))
		}
	}
}

var meta = regexp.MustCompile(`(?m)//\s*META:\s*(\w+)=(.*?)\s*$`)

// wrapper makes the page of a test that is a script alone, from the comments at
// its top: X.window.js, and X.any.js in a window and in a worker.
func wrapper(files fs.FS, name string) (text []byte, of string, err error) {
	for _, kind := range []struct{ page, script, body string }{
		{".window.html", ".window.js", `<script src="%s"></script>`},
		{".any.worker.html", ".any.js", `<script>fetch_tests_from_worker(new Worker("%s"))</script>`},
		{".any.html", ".any.js", `<script src="%s"></script>`},
		{".worker.html", ".worker.js", `<script>fetch_tests_from_worker(new Worker("%s"))</script>`},
	} {
		stem, found := strings.CutSuffix(name, kind.page)
		if !found {
			continue
		}
		of = stem + kind.script
		script, err := fs.ReadFile(files, of)
		if err != nil {
			return nil, "", err
		}
		var page strings.Builder
		page.WriteString(`<!doctype html><meta charset=utf-8><script src="/fieldprof/runtime.js"></script>` +
			`<script src="/resources/testharness.js"></script><script src="/resources/testharnessreport.js"></script>`)
		for _, m := range meta.FindAllSubmatch(script, -1) {
			switch value := html.EscapeString(string(m[2])); string(m[1]) {
			case "script":
				fmt.Fprintf(&page, `<script src="%s"></script>`, value)
			case "title":
				fmt.Fprintf(&page, "<title>%s</title>", value)
			}
		}
		fmt.Fprintf(&page, "<div id=log></div>"+kind.body+"\n", html.EscapeString(path.Base(of)))
		return []byte(page.String()), of, nil
	}
	return nil, "", fs.ErrNotExist
}
