package wicg

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"testing"
)

// BenchmarkPage reads a minute of a page at 10 ms, as the runtime writes it.
func BenchmarkPage(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	in := map[string]any{"resources": []string{"https://shop.example/app.js"}, "fieldprof": map[string]any{"version": 1, "interval": 10}}
	var frames, stacks, samples []map[string]any
	for i := range 120 {
		frames = append(frames, map[string]any{"name": "function" + string(rune('a'+i%26)), "resourceId": 0, "line": 1, "column": 1 + 97*i})
	}
	for i := range 300 {
		s := map[string]any{"frameId": r.IntN(len(frames))}
		if i > 0 {
			s["parentId"] = max(0, i-1-r.IntN(9))
		}
		stacks = append(stacks, s)
	}
	for i := range 6000 {
		s := map[string]any{"timestamp": float64(i)*10 + 0.1*float64(r.IntN(100)), "weight": 1}
		if r.IntN(10) < 3 {
			s["stackId"], s["kind"], s["skid"] = r.IntN(len(stacks)), "loop", 0.1*float64(r.IntN(20))
		} else if r.IntN(10) == 0 {
			s["kind"], s["skid"] = "idle", 0
		}
		samples = append(samples, s)
	}
	in["frames"], in["stacks"], in["samples"] = frames, stacks, samples
	text, err := json.Marshal(in)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := Read(bytes.NewReader(text)); err != nil {
			b.Fatal(err)
		}
	}
}
