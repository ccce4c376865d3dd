package ingest

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/fieldprof/fieldprof/collect/config"
	"github.com/fieldprof/fieldprof/collect/record"
)

// minute is an envelope of a minute at 10 ms, as the runtime writes it: mostly idle.
func minute(tb testing.TB) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var frames, stacks, samples []map[string]any
	for i := range 120 {
		frames = append(frames, map[string]any{"column": 1 + 97*i, "line": 1, "name": "function" + string(rune('a'+i%26)), "resourceId": 0})
	}
	for i := range 200 {
		s := map[string]any{"frameId": r.IntN(len(frames))}
		if i > 0 {
			s["parentId"] = max(0, i-1-r.IntN(9))
		}
		stacks = append(stacks, s)
	}
	stack := 0
	for i := range 6000 {
		s := map[string]any{"timestamp": float64(i)*10 + 0.1*float64(r.IntN(100)), "weight": 1}
		if r.IntN(20) == 0 {
			stack = r.IntN(2*len(stacks)) - len(stacks)
		}
		if stack >= 0 {
			s["stackId"], s["kind"], s["skid"] = stack, "loop", 0.1*float64(r.IntN(20))
		} else if r.IntN(10) == 0 {
			s["kind"], s["skid"] = "idle", 0
		}
		samples = append(samples, s)
	}
	text, err := json.Marshal(map[string]any{"version": 1, "session": "9f0c", "view": "41d2", "page": "https://shop.example/cart", "release": "1", "rate": 0.1, "browser": "Firefox 153",
		"device": map[string]any{"kind": "desktop", "memory": 8}, "chunk": 1, "started": 1795275000000.5, "origin": 1795274940000.1,
		"trace": map[string]any{"resources": []string{"https://shop.example/app.js"}, "frames": frames, "stacks": stacks, "samples": samples, "fieldprof": map[string]any{"version": 1, "interval": 10}}})
	if err != nil {
		tb.Fatal(err)
	}
	return text
}

// BenchmarkMinute takes in a minute of a page, gzipped.
func BenchmarkMinute(b *testing.B) {
	text := minute(b)
	body := zipped(text)
	b.Logf("%d bytes, %d gzipped", len(text), len(body))
	h := New(Options{Apps: []config.App{{Name: "shop", Keys: []string{"k1"}, Limits: config.Limits{PerSecond: 1e9, PerAddress: 1e9}}},
		Accept: func(context.Context, []*record.Chunk) error { return nil }})
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		r := httptest.NewRequest(http.MethodPost, profiles, bytes.NewReader(body))
		r.Header.Set("Content-Encoding", "gzip")
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != http.StatusAccepted {
			b.Fatal(w.Body)
		}
	}
}
