package builddir

import (
	"bytes"

	"github.com/fieldprof/fieldprof/transform/internal/htmlscan"
)

// A page in UTF-16 gets no checks, and its scripts find no runtime. But they have other contents, so the digests that
// the page holds of them are renewed. All of HTML's syntax is ASCII, as digests are: read with a byte for each unit, the page
// has its elements at half the offsets.

// renewWide brings the digests of files in a page in UTF-16 up to date.
func (w *work) renewWide(p *pageFile) error {
	units, low := narrowed(p.src)
	read := &pageFile{file: p.file, src: units, seen: htmlscan.Scan(units)}
	if err := w.findRenewals(read); err != nil || len(read.renewals) == 0 {
		return err
	}
	const mark = 2 // the bytes of the byte order mark
	edits := make([]pageEdit, len(read.renewals))
	for i, e := range read.renewals {
		wide := make([]byte, 2*len(e.text))
		for j := range len(e.text) {
			wide[2*j+low] = e.text[j]
		}
		edits[i] = pageEdit{mark + 2*e.start, mark + 2*e.end, string(wide)}
	}
	return w.put(p.path, edited(p.src, edits), p.file)
}

// narrowed returns a page in UTF-16 with a byte for each unit, and which byte of a unit is the low one. Units that are
// not ASCII become a byte that is not.
func narrowed(src []byte) (units []byte, low int) {
	if bytes.HasPrefix(src, []byte{0xfe, 0xff}) {
		low = 1
	}
	for at := 2; at+1 < len(src); at += 2 {
		unit := byte(0xff)
		if src[at+1-low] == 0 && src[at+low] < 0x80 {
			unit = src[at+low]
		}
		units = append(units, unit)
	}
	return units, low
}
