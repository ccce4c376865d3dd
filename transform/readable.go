package transform

import (
	"errors"
	"fmt"

	"github.com/fieldprof/fieldprof/transform/internal/jsscan"
)

// Readable says why Transform would leave a source alone, or nil. It does the
// reading and no more.
func Readable(src []byte, goal Goal) error {
	if int(goal) >= len(scanGoals) {
		return fmt.Errorf("no goal %d", goal)
	}
	_, err := jsscan.Scan(src, jsscan.Options{Goal: scanGoals[goal]})
	var syntax *jsscan.SyntaxError
	if errors.As(err, &syntax) {
		at := newPositions(src).source(max(0, min(syntax.Offset, len(src))))
		return fmt.Errorf("%s: %s", at, syntax.Msg)
	}
	return err
}
