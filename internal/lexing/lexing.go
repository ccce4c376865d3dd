// Package lexing reads scripts with tdewolff's bare lexer, the least that a tool can do with
// them: benchmarks compare their times with its time.
package lexing

import (
	"fmt"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"
)

// Read reads a script to its end. A slash after an operand divides, any other begins a
// regular expression, which is right for the files that are timed.
func Read(code []byte) error {
	in := parse.NewInputBytes(code)
	defer in.Restore()
	l := js.NewLexer(in)
	operand := false
	for {
		tt, _ := l.Next()
		switch tt {
		case js.ErrorToken:
			if in.Offset() < len(code) {
				return fmt.Errorf("stopped at byte %d: %w", in.Offset(), l.Err())
			}
			return nil
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
