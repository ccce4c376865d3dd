package sourcemap

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// BenchmarkRewrite edits the map that BenchmarkParse only reads.
func BenchmarkRewrite(b *testing.B) {
	data := largeMap(b)
	benchmarkRewrite(b, data, 4) // largeMap's columns are four apart
}

// BenchmarkRewriteMappings leaves out all but the mappings.
func BenchmarkRewriteMappings(b *testing.B) {
	m := parse(b, largeMap(b))
	m.SourcesContent = nil
	data := must.Get(m.Encode())(b)
	benchmarkRewrite(b, data, 4)
}

// BenchmarkFiles takes maps from outside, in directories or files that the
// variable MAPS names as a glob pattern. The script is next to its map.
func BenchmarkFiles(b *testing.B) {
	files, _ := filepath.Glob(os.Getenv("MAPS"))
	for _, file := range files {
		data := must.Get(os.ReadFile(file))(b)
		code := must.Get(os.ReadFile(file[:len(file)-len(".map")]))(b)
		m := parse(b, data)
		width := float64(len(code)) / float64(len(m.segments))
		name := filepath.Base(file)
		b.Run(name, func(b *testing.B) {
			benchmarkRewrite(b, data, width)
			b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/float64(len(code)), "ms/MB-of-code")
		})
		m.SourcesContent, m.Names = nil, make([]string, len(m.Names))
		mappings := must.Get(m.Encode())(b)
		b.Run(name+"/mappings", func(b *testing.B) { benchmarkRewrite(b, mappings, width) })
		b.Run(name+"/long", func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			insertions, places := typicalEdits(m, width)
			for b.Loop() {
				must.Get(rewriteWhole(data, insertions, places))(b)
			}
		})
	}
}

func benchmarkRewrite(b *testing.B, data []byte, width float64) {
	insertions, places := typicalEdits(parse(b, data), width)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := rewriteInPlace(data, insertions, places); !ok {
			b.Fatal("not edited in place")
		}
	}
}

// typicalEdits makes 20,000 insertions and 5,000 places for a megabyte of code,
// where a segment is so many bytes wide.
func typicalEdits(m *Map, width float64) (insertions []Insertion, places []Place) {
	passed := 0.0
	for line := range m.Lines() {
		for _, s := range m.Line(line) {
			if passed += width; passed < 50 {
				continue
			}
			passed -= 50
			insertions = append(insertions, Insertion{int32(line), s.Column, 17})
			if len(insertions)%4 == 0 {
				places = append(places, Place{int32(line), s.Column})
			}
		}
	}
	return insertions, places
}
