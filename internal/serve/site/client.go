package site

import (
	"encoding/json"
	"html"
	"net/http"
	"regexp"
	"strings"

	"github.com/fieldprof/fieldprof/transform/builddir"
)

// A page gets the client by a script element before its own scripts:
//
//	<script src="/__fieldprof/live.js" data-source="TOKEN" data-build="ID"></script>
//
// A worker gets it by a line after its script's last, where no position moves. The build is that
// of a directory: messages of the page are read with its tables, even after another build.

// clientOf returns what a page is to load, and where it must be allowed to. more are the
// attributes of elements that go before the client.
func (s *Site) clientOf(r *http.Request, build string, more ...string) builddir.ServeOptions {
	o := s.serving()
	client := `src="` + Folder + `live.js" data-source="` + html.EscapeString(s.Source) + `"`
	if build != "" {
		client += ` data-build="` + build + `"`
	}
	if s.Overlay {
		client += " data-overlay"
	}
	o.Scripts = append(more, client)
	o.From, o.To = placesOf(r)
	return o
}

// plainHost is a Host header that is safe in a policy, and has a form that policies know:
// they have none for IPv6.
var plainHost = regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]{1,5})?$`)

// placesOf returns the source expressions for the client's files and sockets.
func placesOf(r *http.Request) (from, to []string) {
	if !plainHost.MatchString(r.Host) {
		return []string{"'self'"}, []string{"'self'"}
	}
	page, socket := "http://", "ws://"
	if r.TLS != nil {
		page, socket = "https://", "wss://"
	}
	return []string{page + r.Host + Folder}, []string{socket + r.Host + Folder, page + r.Host + Folder}
}

// startsWorker reports whether a request is for the script that a worker begins with: a
// module worker's imports have another mode. A service worker is left alone, because it
// outlives its pages.
func startsWorker(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Dest") {
	case "worker", "sharedworker":
		return r.Header.Get("Sec-Fetch-Mode") != "cors"
	}
	return false
}

// withClient appends the client to a worker's script.
func (s *Site) withClient(code []byte, build string) []byte {
	token, _ := json.Marshal(s.Source) // a string
	if build != "" {
		build = `;self.__fieldprofBuild="` + build + `"`
	}
	return append(code[:len(code):len(code)], "\n;self.__fieldprofSource="+string(token)+build+`;import("`+Folder+`live.js").catch(()=>{})`+"\n"...)
}

// isNavigation reports whether a request is for a page to show.
func isNavigation(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Dest") {
	case "document", "iframe", "frame", "embed", "object", "fencedframe":
		return true
	case "empty": // a service worker passes it on; a program that fetches a page has another mode
		mode := r.Header.Get("Sec-Fetch-Mode")
		return (mode == "navigate" || mode == "same-origin") && acceptsPage(r)
	case "": // browsers say it only where they trust the origin
		return acceptsPage(r)
	}
	return false
}

func acceptsPage(r *http.Request) bool { return strings.Contains(r.Header.Get("Accept"), "text/html") }
