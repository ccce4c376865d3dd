package site

import (
	"net/http"
	"strings"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// page is a page as it is sent: it has the client, and its table is shifted by that.
type page struct {
	*content
	table   *functable.Table
	charset string
}

// servePage answers with a page.
func (b *build) servePage(w http.ResponseWriter, r *http.Request, name string) {
	w.Header().Del("Access-Control-Allow-Origin")
	p, err := b.page(r, name)
	if err != nil {
		b.missing(w, r)
		return
	}
	p.serve(w, r, name, p.charset)
}

// page makes the page that a request gets. It depends on the origin, which is in the page's
// policies.
func (b *build) page(r *http.Request, name string) (*page, error) {
	o := b.site.clientOf(r, b.id)
	key := name + "\n" + strings.Join(o.From, " ")
	b.mu.Lock()
	kept := b.pages[key]
	b.mu.Unlock()
	if kept != nil {
		return kept, nil
	}
	text, err := b.read(name)
	if err != nil {
		return nil, err
	}
	o.Instrumented = true
	served, warnings, err := builddir.Serve(builddir.ServedPage{Path: name, Text: text, Table: b.table(name)}, o)
	if err != nil {
		return nil, err
	}
	for _, warning := range warnings {
		b.site.log("%s", warning)
	}
	p := &page{newContent(served.Text), served.Table, served.Charset}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.pages == nil || len(b.pages) > 1000 {
		b.pages = map[string]*page{}
	}
	b.pages[key] = p
	return p, nil
}
