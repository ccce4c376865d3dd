package qr

import (
	"strings"
	"testing"
	"unicode/utf8"

	"rsc.io/qr"
)

// Blocks draws the code module by module, inside an empty border.
func TestBlocksShowTheCode(t *testing.T) {
	for _, text := range []string{"x", "http://192.168.1.20:8080/", "https://[fe80::1]:8080/__fieldprof/?key=" + strings.Repeat("aZ9-", 11)} {
		drawn, err := Blocks(text)
		if err != nil {
			t.Fatal(err)
		}
		code, err := qr.Encode(text, qr.L)
		if err != nil {
			t.Fatal(err)
		}
		var dark [][]bool
		for line := range strings.Lines(drawn) {
			cells, ok := strings.CutPrefix(line, "\x1b[30;107m")
			cells, ok2 := strings.CutSuffix(cells, "\x1b[0m\n")
			if !ok || !ok2 {
				t.Fatalf("%q does not set and reset its colours", line)
			}
			upper, lower := []bool{}, []bool{}
			for _, cell := range cells {
				upper = append(upper, cell == '▀' || cell == '█')
				lower = append(lower, cell == '▄' || cell == '█')
			}
			if utf8.RuneCountInString(cells) != code.Size+2*quiet {
				t.Fatalf("%d cells in a line", utf8.RuneCountInString(cells))
			}
			dark = append(dark, upper, lower)
		}
		for y := range dark {
			for x := range dark[y] {
				if want := code.Black(x-quiet, y-quiet); dark[y][x] != want {
					t.Errorf("%s: module %d, %d is dark: %v", text, x-quiet, y-quiet, !want)
				}
			}
		}
		if len(dark) < code.Size+2*quiet {
			t.Errorf("%d rows for a code of %d", len(dark), code.Size)
		}
	}
}

func TestTextThatIsTooLong(t *testing.T) {
	if _, err := Blocks(strings.Repeat("x", 4000)); err == nil {
		t.Error("no code is that large")
	}
}
