package jsscan

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"

	"github.com/fieldprof/fieldprof/fixtures"
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

func benchSource(b *testing.B, file string) []byte {
	b.Helper()
	fixtures.EnsureIn(b, oracleDir)
	src := must.Get(os.ReadFile(filepath.Join(oracleDir, "node_modules", file)))(b)
	return src
}

// BenchmarkScan is to be read next to BenchmarkLexer.
func BenchmarkScan(b *testing.B) {
	for _, file := range benchFiles {
		b.Run(filepath.Base(file), func(b *testing.B) {
			src := benchSource(b, file)
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				must.Get(Scan(src, Options{}))(b)
			}
		})
	}
}

// BenchmarkLexer reads the same files with the bare lexer. A slash after an
// operand divides, any other begins a regular expression; that is right in
// these files.
func BenchmarkLexer(b *testing.B) {
	for _, file := range benchFiles {
		b.Run(filepath.Base(file), func(b *testing.B) {
			src := benchSource(b, file)
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				if at := lexAll(src); at < len(src) {
					b.Fatalf("the lexer stopped at %d: %s", at, around(src, at))
				}
			}
		})
	}
}

// lexAll reads src with the bare lexer and returns where it stopped.
func lexAll(src []byte) int {
	in := parse.NewInputBytes(src)
	defer in.Restore()
	l := js.NewLexer(in)
	operand := false
	for {
		tt, _ := l.Next()
		switch tt {
		case js.ErrorToken:
			return in.Offset()
		case js.WhitespaceToken, js.LineTerminatorToken, js.CommentToken, js.CommentLineTerminatorToken:
			continue
		case js.DivToken, js.DivEqToken:
			if operand {
				operand = false
				continue
			}
			l.RegExp()
			operand = true
		case js.CloseParenToken, js.CloseBracketToken, js.TemplateToken, js.TemplateEndToken, js.StringToken,
			js.ThisToken, js.SuperToken, js.NullToken, js.TrueToken, js.FalseToken:
			operand = true
		default:
			operand = js.IsIdentifier(tt) || js.IsNumeric(tt)
		}
	}
}
