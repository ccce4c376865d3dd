package site

import (
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// isolate adds the headers that profiling needs. Pages that are cross-origin isolated have
// shared memory, and so a flag that another thread can raise.
//
// COEP `credentialless` lets pages load images and scripts of other origins, without
// cookies, that do not expect it; under `require-corp` those are missing. So browsers get
// the former if they know it. WebKit takes an unknown value for none at all, and gets the
// latter, and so do old versions of the others.
func (s *Site) isolate(header http.Header, r *http.Request) {
	if !s.Isolated {
		return
	}
	policy := "require-corp"
	if knowsCredentialless(r.UserAgent()) {
		policy = "credentialless"
	}
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Cross-Origin-Embedder-Policy", policy)
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("Document-Policy", documentPolicy)
}

// documentPolicy lets a page use Chromium's own Profiler. Chromium needs the first for
// that even with the second, which makes V8 ready for a profile from the start. Versions
// that do not know the second do so whenever they see the first.
const documentPolicy = "js-profiling, js-profiling-mode=eager"

// isWebKit reports whether a browser is WebKit: Chromium says that it is, too.
func isWebKit(agent string) bool {
	return strings.Contains(agent, "AppleWebKit/") && !chromium.MatchString(agent)
}

var (
	chromium = regexp.MustCompile(`(?:Chrome|Chromium)/([0-9]{1,4})\.`)
	firefox  = regexp.MustCompile(`\bFirefox/([0-9]{1,4})\.`)
)

// knowsCredentialless goes by the version in a user agent: Chromium has it since 96,
// Firefox since 119, but not on Android.
func knowsCredentialless(agent string) bool {
	since := func(pattern *regexp.Regexp, least int) bool {
		found := pattern.FindStringSubmatch(agent)
		if found == nil {
			return false
		}
		version, _ := strconv.Atoi(found[1])
		return version >= least
	}
	return since(chromium, 96) || since(firefox, 119) && !strings.Contains(agent, "Android")
}

// varies says that a URL has several texts, so that no cache gives a script that a program fetched to a
// page that runs it: checks depend on what asks, and modules have others than classic scripts.
func varies(header http.Header) { header.Add("Vary", "Accept, Sec-Fetch-Dest, Sec-Fetch-Mode") }

// share lets pages of other servers on this machine read a build's files, as dev servers
// do: an app may be in parts, each with a server of its own. Others may not, and none
// may read pages, because they hold a token.
func share(header http.Header, r *http.Request) {
	header.Add("Vary", "Origin")
	origin := r.Header.Get("Origin")
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Scheme+"://"+u.Host != origin {
		return
	}
	if name := u.Hostname(); isLoopback(name) || strings.HasSuffix(name, ".localhost") {
		header.Set("Access-Control-Allow-Origin", origin)
	}
}
