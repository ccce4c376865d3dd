package jsscan

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/internal/lexing"
	"github.com/fieldprof/fieldprof/internal/must"
)

// benchFiles are real files of different styles, from the oracle's packages.
var benchFiles = []string{
	"typescript/lib/typescript.js", // large, with many comments
	"react-dom/cjs/react-dom-client.development.js",
	"lodash/lodash.js",
	"three/build/three.cjs",
	"mathjs/lib/browser/math.js",  // minified
	"vue/dist/vue.global.prod.js", // minified
}

// BenchmarkScan is to be read next to BenchmarkLexer.
func BenchmarkScan(b *testing.B) {
	overFiles(b, func(src []byte) error {
		_, err := Scan(src, Options{})
		return err
	})
}

// BenchmarkLexer reads the same files with the bare lexer.
func BenchmarkLexer(b *testing.B) {
	overFiles(b, lexing.Read)
}

// overFiles times reading each file.
func overFiles(b *testing.B, read func(src []byte) error) {
	fixtures.EnsureIn(b, oracleDir)
	for _, file := range benchFiles {
		b.Run(filepath.Base(file), func(b *testing.B) {
			src := must.Get(os.ReadFile(filepath.Join(oracleDir, "node_modules", file)))(b)
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				must.Do(b, read(src))
			}
		})
	}
}
