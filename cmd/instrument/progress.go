package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/transform/builddir"
)

// progress draws a bar on a terminal, and nothing elsewhere.
type progress struct {
	w     io.Writer // nil without a terminal
	next  time.Time
	drawn bool
}

func newProgress(w io.Writer) *progress {
	if !isTerminal(w) {
		w = nil
	}
	return &progress{w: w, next: time.Now().Add(progressGap)}
}

const (
	progressGap   = 100 * time.Millisecond
	progressWidth = 30
)

// show draws how far the work is, a few times a second.
func (p *progress) show(done, total builddir.Amount) {
	p.draw(done.Bytes, total.Bytes, func() string { return fmt.Sprintf("%d/%d files", done.Files, total.Files) })
}

// showBytes draws how much has been read, of a total that may be unknown.
func (p *progress) showBytes(done, total int64) {
	p.draw(done, max(done, total), func() string { return fmt.Sprintf("%d MB", done>>20) })
}

func (p *progress) draw(done, total int64, text func() string) {
	if p.w == nil || time.Now().Before(p.next) || total == 0 {
		return
	}
	p.next, p.drawn = time.Now().Add(progressGap), true
	filled := min(progressWidth, int(done*progressWidth/total))
	fmt.Fprintf(p.w, "\r\x1b[K%s%s %s", strings.Repeat("#", filled), strings.Repeat("-", progressWidth-filled), text())
}

// clear removes the bar.
func (p *progress) clear() {
	if p.drawn {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
