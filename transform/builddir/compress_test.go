package builddir

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"

	"github.com/fieldprof/fieldprof/internal/must"
)

// A compressor that was used before finds as much as a new one, whatever it had.
func TestCompressorsAreUsedAgain(t *testing.T) {
	must.NotForRaces(t)
	random := rand.New(rand.NewPCG(1, 2))
	for range 25 {
		var text strings.Builder
		for size := 1 << (4 + random.IntN(18)); text.Len() < size; {
			text.WriteString(loop(string(rune('a' + random.IntN(26)))))
			text.WriteByte(byte(random.IntN(256)))
		}
		data := []byte(text.String())
		var fresh bytes.Buffer
		z := brotli.NewWriterLevel(&fresh, brotliUsual)
		z.Write(data)
		z.Close()
		if got := brotliSize(data); got != fresh.Len() {
			t.Errorf("%d bytes: %d from a compressor that was used, %d from a new one", len(data), got, fresh.Len())
		}
	}
}
