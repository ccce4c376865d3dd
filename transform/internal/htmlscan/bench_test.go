package htmlscan

import (
	"bytes"
	"testing"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/html"

	"github.com/fieldprof/fieldprof/fixtures"
)

// benchPages are all real pages of the oracle's packages.
func benchPages(b *testing.B) (pages []sample) {
	b.Helper()
	fixtures.EnsureIn(b, oracleDir)
	pages = realPages(b)
	size := 0
	for _, s := range pages {
		size += len(s.Text)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	return pages
}

// BenchmarkScan is to be read next to BenchmarkLexer.
func BenchmarkScan(b *testing.B) {
	pages := benchPages(b)
	for b.Loop() {
		for _, s := range pages {
			Scan(s.Text)
		}
	}
}

// BenchmarkLexer reads the same pages with the bare lexer of tdewolff.
func BenchmarkLexer(b *testing.B) {
	pages := benchPages(b)
	for b.Loop() {
		for _, s := range pages {
			lexer := html.NewLexer(parse.NewInputBytes(bytes.Clone(s.Text)))
			for {
				if token, _ := lexer.Next(); token == html.ErrorToken {
					break
				}
			}
		}
	}
}
