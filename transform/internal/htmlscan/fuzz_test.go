package htmlscan

import (
	"reflect"
	"slices"
	"testing"
)

// FuzzScan holds every page to what its types promise.
func FuzzScan(f *testing.F) {
	for _, s := range goldenPages(f) {
		f.Add(s.Text)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		kept := string(src)
		page := Scan(src)
		if string(src) != kept {
			t.Fatal("the source was changed")
		}
		if !reflect.DeepEqual(page, Scan(src)) {
			t.Fatal("two scans differ")
		}
		checkPage(t, src, page)
		checkEdit(t, src, page)
	})
}

// checkPage fails unless all ranges are in bounds, in order and apart.
func checkPage(t *testing.T, src []byte, p *Page) {
	t.Helper()
	last, lastStart := p.Charset.BOM, -1
	for i := range p.Scripts {
		s := &p.Scripts[i]
		if !ordered(0, s.Start, s.ContentStart, s.ContentEnd, s.End, len(src)) || s.Start <= lastStart {
			t.Fatalf("script %d is out of order: %+v", i, s)
		}
		lastStart = s.Start
		if s.Kind < Classic || s.Kind > Data {
			t.Fatalf("script %d has no kind", i)
		}
		if !hasPrefix(src[s.Start:], "<script") {
			t.Fatalf("script %d begins with %.10q", i, src[s.Start:])
		}
		for _, a := range []*Attribute{s.Src, s.Integrity, s.Nonce, s.CrossOrigin} {
			checkAttribute(t, src, a, s.Start, s.ContentStart)
		}
		if s.Foreign {
			continue
		}
		if s.Start < last {
			t.Fatalf("script %d begins in the one before", i)
		}
		last = s.End
		if s.Closed && !hasPrefix(src[s.ContentEnd:], "</script") || !s.Closed && s.End != len(src) {
			t.Fatalf("script %d ends with %.10q", i, src[s.ContentEnd:])
		}
	}
	last = 0
	for i := range p.Links {
		l := &p.Links[i]
		if !ordered(last, l.Start, l.End, len(src)) {
			t.Fatalf("link %d is out of order: %+v", i, l)
		}
		last = l.End
		for _, a := range []*Attribute{l.Href, l.Integrity, l.As, l.Nonce, l.CrossOrigin} {
			checkAttribute(t, src, a, l.Start, l.End)
		}
	}
	last = 0
	for i := range p.Policies {
		c := &p.Policies[i]
		if !ordered(last, c.Start, c.End, len(src)) {
			t.Fatalf("policy %d is out of order: %+v", i, c)
		}
		last = c.End
		checkAttribute(t, src, &c.Content, c.Start, c.End)
	}
	checkAttribute(t, src, p.Base, 0, len(src))
	checkAttribute(t, src, p.Charset.Meta, 0, len(src))
	if !ordered(p.Charset.BOM, p.HeadStart, len(src)) || p.Handlers < 0 {
		t.Fatalf("head starts at %d, handlers %d", p.HeadStart, p.Handlers)
	}
}

func checkAttribute(t *testing.T, src []byte, a *Attribute, start, end int) {
	t.Helper()
	if a == nil {
		return
	}
	if !ordered(start, a.AttrStart, a.Start, a.End, a.AttrEnd, end) || decode(src[a.Start:a.End]) != a.Value {
		t.Fatalf("attribute %+v in %d-%d", a, start, end)
	}
	if a.Quote != 0 && (src[a.Start-1] != a.Quote || src[a.End] != a.Quote) || a.Bare && a.Start != a.AttrEnd {
		t.Fatalf("attribute %+v has no such quotes", a)
	}
}

// checkEdit writes another value for every src and an element where the head
// starts, and fails unless that is all that changes.
func checkEdit(t *testing.T, src []byte, p *Page) {
	t.Helper()
	const value = "<a>\"b' & </script>"
	var edited []byte
	at := 0
	for i := range p.Scripts {
		if a := p.Scripts[i].Src; a != nil {
			edited = append(append(edited, src[at:a.Start]...), a.Spell(value)...)
			at = a.End
		}
	}
	edited = append(edited, src[at:]...)
	again := Scan(edited)
	if len(again.Scripts) != len(p.Scripts) || len(again.Links) != len(p.Links) {
		t.Fatalf("%d scripts, %d links; with other values %d, %d: %q", len(p.Scripts), len(p.Links), len(again.Scripts), len(again.Links), edited)
	}
	for i := range again.Scripts {
		s, was := &again.Scripts[i], &p.Scripts[i]
		if was.Src == nil {
			if s.Src != nil {
				t.Fatalf("script %d has a src now: %q", i, edited)
			}
		} else if s.Src == nil || s.Src.Value != value {
			t.Fatalf("script %d: src %+v, written %q", i, s.Src, edited)
		}
	}
	if p.Charset.BOM == 2 {
		return
	}
	inserted := append(append(append([]byte(nil), src[:p.HeadStart]...), "<script>0</script>"...), src[p.HeadStart:]...)
	again = Scan(inserted)
	if len(again.Scripts) < 1 || again.Scripts[0].Start != p.HeadStart || again.Scripts[0].Foreign || again.Scripts[0].Inert {
		t.Fatalf("no script can stand where the head starts: %q", inserted)
	}
}

func ordered(offsets ...int) bool { return slices.IsSorted(offsets) }
