package view

import (
	"bytes"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

func TestJSONIsPrintable(t *testing.T) {
	var out bytes.Buffer
	must.Do(t, EncodeJSON(&out, []string{"é 語 \x1b \x7f \u202e \u2028 \U000e0001"}))
	must.Equal(t, out.String(), `[
  "é 語 \u001b \u007f \u202e \u2028 \udb40\udc01"
]
`)
}
