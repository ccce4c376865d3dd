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
	w     io.Writer // nil: nobody watches
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
	if p.w == nil || time.Now().Before(p.next) || total.Bytes == 0 {
		return
	}
	p.next, p.drawn = time.Now().Add(progressGap), true
	filled := min(progressWidth, int(done.Bytes*progressWidth/total.Bytes))
	fmt.Fprintf(p.w, "\r\x1b[K%s%s %d/%d files", strings.Repeat("#", filled), strings.Repeat("-", progressWidth-filled), done.Files, total.Files)
}

// clear takes the bar away.
func (p *progress) clear() {
	if p.drawn {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
