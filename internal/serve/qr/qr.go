// Package qr draws a QR code on a terminal, for a phone to read an address from.
package qr

import (
	"strings"

	"rsc.io/qr"
)

// quiet is the width of the empty border, in modules. The standard asks for four; phones
// are content with two, which fits more terminals.
const quiet = 2

// A character cell is twice as high as it is wide, so it shows two modules.
var halves = [2][2]string{{" ", "▄"}, {"▀", "█"}} // by the upper and the lower module

// Blocks returns the code of a text as lines of half blocks. It sets both colours, black
// on white, because a reader expects dark modules and a terminal may be dark.
func Blocks(text string) (string, error) {
	code, err := qr.Encode(text, qr.L)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for y := -quiet; y < code.Size+quiet; y += 2 {
		b.WriteString("\x1b[30;107m")
		for x := -quiet; x < code.Size+quiet; x++ {
			b.WriteString(halves[module(code, x, y)][module(code, x, y+1)])
		}
		b.WriteString("\x1b[0m\n")
	}
	return b.String(), nil
}

// module is 1 for a dark module. Outside the code everything is light.
func module(code *qr.Code, x, y int) int {
	if code.Black(x, y) {
		return 1
	}
	return 0
}
