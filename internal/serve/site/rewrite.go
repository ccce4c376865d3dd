package site

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/fieldprof/fieldprof/transform/builddir"
)

// largest is the size of the largest page or script that is changed.
const largest = 20 << 20

// modify changes an answer of the dev server. Its headers stay, unless the text changes:
// then those that describe the text follow, and no cache may keep it unasked, because other
// options would change it in another way.
func (p *proxy) modify(answer *http.Response) error {
	a := askOf(answer.Request)
	if a == nil || answer.StatusCode < 200 {
		return nil // a socket
	}
	p.stayHere(answer.Header)
	p.disown(answer.Header)
	p.site.isolate(answer.Header, a.Request)
	kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	if kind == "text/html" || isJavaScript(kind) {
		varies(answer.Header) // also where the text stays, which caches may keep
	}
	var change func(text []byte, header http.Header, a *ask) ([]byte, error)
	switch status := answer.StatusCode; {
	case status == http.StatusNoContent || status == http.StatusNotModified || status == http.StatusPartialContent || status >= 300 && status < 400:
		return nil
	case a.navigates && kind == "text/html":
		change = p.page
	case a.runs && isJavaScript(kind) && status == http.StatusOK:
		change = p.scriptText
	default:
		if tag := answer.Header.Get("ETag"); status == http.StatusOK && matches(a.match, tag) {
			unmodified(answer) // the dev server was not asked that
		}
		return nil
	}
	if a.Method == http.MethodHead {
		for _, name := range append(ofText, "ETag", "Content-Length") {
			answer.Header.Del(name)
		}
		return nil
	}
	text, ok := p.read(answer, a)
	if !ok {
		return nil
	}
	changed, err := change(text, answer.Header, a)
	if err != nil {
		p.site.log("%s: %v; it is passed on as it is", a.target, err)
	}
	p.replace(answer, a, text, changed)
	return nil
}

func isJavaScript(kind string) bool {
	switch kind {
	case "text/javascript", "application/javascript", "application/x-javascript", "text/ecmascript", "application/ecmascript", "text/jscript":
		return true
	}
	return false
}

// stayHere makes a redirect within the dev server one within this server. One to the same host's HTTPS would lead to itself
// if it were.
func (p *proxy) stayHere(header http.Header) {
	u, err := url.Parse(header.Get("Location"))
	if err != nil || u.Host == "" || u.Host != p.upstream.Host {
		return
	}
	switch u.Scheme {
	case "", p.upstream.Scheme:
		location := u.RequestURI()
		if strings.HasPrefix(location, "//") {
			location = "/." + location // else it would name a host
		}
		if u.Fragment != "" {
			location += "#" + u.EscapedFragment()
		}
		header.Set("Location", location)
	default:
		p.site.log("%s redirects to %s: give --proxy that address", p.upstream, u.Redacted())
	}
}

// disown takes out of an answer what would hold for this server's name beyond this server: a browser would ask
// all servers on localhost for HTTPS, for months. A cookie for the dev server's own name becomes one for ours.
func (p *proxy) disown(header http.Header) {
	header.Del("Strict-Transport-Security")
	header.Del("Alt-Svc")
	for i, cookie := range header["Set-Cookie"] {
		header["Set-Cookie"][i] = domainOf.ReplaceAllStringFunc(cookie, func(attribute string) string {
			_, domain, _ := strings.Cut(attribute, "=")
			domain = strings.TrimPrefix(strings.TrimSpace(strings.ToLower(domain)), ".")
			if host := strings.ToLower(p.upstream.Hostname()); host == domain || strings.HasSuffix(host, "."+domain) {
				return ""
			}
			return attribute
		})
	}
}

// domainOf matches the attribute of a cookie that says for which hosts it is.
var domainOf = regexp.MustCompile(`(?i);\s*domain\s*=[^;]*`)

// read reads the text of an answer. If that is not possible, the answer is as it was.
func (p *proxy) read(answer *http.Response, a *ask) ([]byte, bool) {
	body := answer.Body
	raw, err := io.ReadAll(io.LimitReader(body, largest+1))
	asItWas := func(why string) ([]byte, bool) {
		p.site.log("%s %s: it is passed on as it is", a.target, why)
		rest := io.Reader(body)
		if err != nil {
			rest = failing{err}
		}
		answer.Body = struct {
			io.Reader
			io.Closer
		}{io.MultiReader(bytes.NewReader(raw), rest), body}
		return nil, false
	}
	switch encoding := strings.ToLower(answer.Header.Get("Content-Encoding")); {
	case err != nil:
		return asItWas("is incomplete")
	case len(raw) > largest:
		return asItWas("is larger than 20 MB")
	case encoding == "" || encoding == "identity":
		body.Close()
		return raw, true
	case encoding == "gzip":
		z, failed := gzip.NewReader(bytes.NewReader(raw))
		if failed != nil {
			return asItWas("is not in gzip, as it says")
		}
		text, failed := io.ReadAll(io.LimitReader(z, largest+1))
		if failed != nil || len(text) > largest {
			return asItWas("is larger than 20 MB, or damaged")
		}
		body.Close()
		return text, true
	default:
		return asItWas(fmt.Sprintf("is compressed (%.20q), which was not asked for", encoding))
	}
}

// failing is a reader that fails.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// ofText are headers that are wrong of another text.
var ofText = []string{"Accept-Ranges", "Content-MD5", "Digest", "Content-Digest", "Repr-Digest", "Content-Encoding"}

// replace puts a text in an answer, or says that the browser has it.
func (p *proxy) replace(answer *http.Response, a *ask, was, is []byte) {
	header := answer.Header
	tag := header.Get("ETag")
	if !bytes.Equal(was, is) {
		tag = `"` + tagFor(header, newContent(is).tag) + `"`
		header.Set("ETag", tag)
		header.Set("Cache-Control", "no-cache")
	}
	for _, name := range ofText {
		header.Del(name)
	}
	answer.TransferEncoding = nil
	if answer.StatusCode == http.StatusOK && matches(a.match, tag) {
		unmodified(answer)
		return
	}
	answer.Body, answer.ContentLength = io.NopCloser(bytes.NewReader(is)), int64(len(is))
	header.Set("Content-Length", strconv.Itoa(len(is)))
}

// unmodified makes an answer say that the browser has it.
func unmodified(answer *http.Response) {
	answer.Body.Close()
	answer.StatusCode, answer.Status = http.StatusNotModified, ""
	answer.Header.Del("Content-Length")
	answer.Body, answer.ContentLength = http.NoBody, 0
}

// matches reports whether an If-None-Match header lists a tag.
func matches(header, tag string) bool {
	if tag == "" {
		return false
	}
	for one := range strings.SplitSeq(header, ",") {
		one = strings.TrimSpace(one)
		if one == "*" || strings.TrimPrefix(one, "W/") == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}

// policyNames are the headers with a page's policies.
var policyNames = []string{"Content-Security-Policy", "Content-Security-Policy-Report-Only"}

// page changes a page: it loads the runtime and the client first, and its inline scripts
// are instrumented.
func (p *proxy) page(text []byte, header http.Header, a *ask) ([]byte, error) {
	o := p.site.clientOf(a.Request, "", `src="`+Folder+`runtime.js"`)
	o.Loses = func(src string) bool { return p.isHere(a, src) }
	name := strings.TrimPrefix(path.Clean("/"+a.URL.Path), "/")
	if name == "" {
		name = "index.html"
	}
	var policies []string
	for _, name := range policyNames {
		policies = append(policies, header.Values(name)...)
	}
	served, warnings, err := builddir.Serve(builddir.ServedPage{Path: name, Text: text, Policies: policies}, o)
	for _, warning := range warnings {
		p.site.log("%s", warning)
	}
	if err != nil {
		return text, err
	}
	renewed := served.Policies
	for _, name := range policyNames {
		if n := len(header.Values(name)); n > 0 {
			header[http.CanonicalHeaderKey(name)], renewed = renewed[:n:n], renewed[n:]
		}
	}
	p.memory.keep(a.target, &passed{table: served.Table}, isWebKit(a.UserAgent()))
	return served.Text, nil
}

// isHere reports whether a URL in a page is of this server.
func (p *proxy) isHere(a *ask, reference string) bool {
	u, err := url.Parse(strings.TrimSpace(reference))
	return err == nil && u.Opaque == "" && (u.Host == "" || u.Host == a.Host) && (u.Scheme == "" || u.Scheme == "http" || u.Scheme == "https")
}

var errChanges = errors.New("checks would change it: please report this")
