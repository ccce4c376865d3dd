package collecting

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile/format"
)

// Chunks have the size and the variety that the measure describes, and are read as they were written.
func TestChunks(t *testing.T) {
	bodies := must.Get(newSent(1, false))(t)
	random := rand.New(rand.NewPCG(9, 9))
	bytesOf, stacks := 0, 0
	for i := range bodies {
		body := must.Get(bodies[i].request(random, time.Now()))(t)
		bytesOf += len(body)
		p, _, err := format.Read(bytes.NewReader(body), "chunk.json.gz")
		if err != nil {
			t.Fatal(err)
		}
		ticks, distinct := 0, map[int32]bool{}
		for s := range p.Len() {
			ticks += int(p.Sample(s).Weight)
			distinct[int32(p.Sample(s).Stack)] = true
		}
		if ticks != ticksOfMinute {
			t.Fatalf("a chunk has %d ticks, not %d", ticks, ticksOfMinute)
		}
		stacks += len(distinct)
	}
	if mean := bytesOf / len(bodies); mean < 8000 || mean > 10_000 {
		t.Errorf("a request has %d bytes", mean)
	}
	if mean := stacks / len(bodies); mean < 270 || mean > 330 {
		t.Errorf("a chunk has %d stacks", mean)
	}
}

// The model is arithmetic.
func TestCapacity(t *testing.T) {
	r := &Report{Sustained: Stage{CPU: 2, BytesOfBody: 9000}, Day: Day{BytesStored: 1000}}
	got := capacity(r)[1]
	want := Capacity{Share: 0.01, Chunks: 1e6, PerSecond: 1e6 / 86400 * 3, Cores: 1e6 / 86400 * 3 * 0.002 / 0.5, Minutes: 2, Requests: 9}
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
