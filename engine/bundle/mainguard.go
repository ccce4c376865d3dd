package bundle

import (
	"bytes"
	"regexp"
	"strings"
)

// mainGuard is how a program asks whether it is the entry file: in CommonJS, whose idiom
// TypeScript has, too, and in ES modules.
var mainGuard = regexp.MustCompile(`\b(?:require\.main\s*[!=]==?\s*module|module\s*[!=]==?\s*require\.main|import\.meta\.main)\b`)

// answerGuards makes that true in the entry file of a bundle, which has neither
// require.main nor import.meta.main, and only there: a package's own guard stays false. The
// replacement has the same length and lines, so positions stay.
func answerGuards(source []byte) []byte { return mainGuard.ReplaceAllFunc(source, answer) }

// answer is what a guard in the entry file is, in its length and with its line breaks.
func answer(guard []byte) []byte {
	is := "true"
	if bytes.Contains(guard, []byte("!=")) {
		is = "false"
	}
	rest := strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' {
			return r
		}
		return ' '
	}, string(guard[len(is):]))
	return append([]byte(is), rest...)
}
