package jsscan

import (
	"slices"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"
)

// Spaceless returns a part of a source without its white space and comments, up to what is no token.
// Every slash is taken for a division.
func Spaceless(text []byte) []byte {
	made := make([]byte, 0, len(text))
	lexer := js.NewLexer(parse.NewInputBytes(slices.Clip(text))) // clipped, it is copied: the lexer writes after its end
	for {
		switch kind, token := lexer.Next(); kind {
		case js.ErrorToken:
			return made
		case js.WhitespaceToken, js.LineTerminatorToken, js.CommentToken, js.CommentLineTerminatorToken:
		default:
			made = append(made, token...)
		}
	}
}
