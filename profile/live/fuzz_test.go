package live

import (
	"encoding/json"
	"math"
	"testing"
)

// Whatever arrives, a profile is made of it, and panels get what they can read.
func FuzzMessages(f *testing.F) {
	f.Add(`{"type":"batch","profile":1,"seq":1,"records":[{"id":2,"name":"a","file":"http://localhost/app.js"}],"stacks":[-1,2,2,5,0,1,0,0,1,0,0,0],
		"samples":{"delta":[1,1,5],"stack":[0,2,-1],"weight":[1,2,2147483647],"kind":[0,5,3],"skid":[0,9007199254740991,1]},
		"marks":[{"time":9007199254740991,"duration":9007199254740991,"what":"mark","name":"x"}]}`, `{"type":"batch","profile":2,"seq":2}`, true)
	f.Add(`{"type":"batch","profile":1,"seq":9,"ended":true,"records":[{"id":2,"name":"(top level)","kind":"native"}],"stacks":[-1,2,2147483647,2147483647],
		"samples":{"delta":[9007199254740991],"stack":[0],"weight":[1]}}`, `{"type":"batch","profile":1,"seq":10,"began":{"time":8.64e15,"interval":60000}}`, false)
	f.Fuzz(func(t *testing.T, first, second string, attributed bool) {
		take(t, attributed, first, second)
	})
}

// FuzzNumbers puts numbers that a hostile source may send in all places.
func FuzzNumbers(f *testing.F) {
	f.Add([]byte{2, 1, 1, 1, 7, 0, 2, 2, 3, 1, 1, 0, 1, 2, 2, 0, 2, 1, 1, 3, 2, 1, 1})
	f.Add([]byte("a batch of a source has records, stacks, samples and marks"))
	f.Fuzz(func(t *testing.T, data []byte) {
		next := func() int64 {
			if len(data) == 0 {
				return 0
			}
			n := data[0]
			data = data[1:]
			if n >= 250 {
				return []int64{-1, math.MaxInt32, math.MinInt32, 1<<53 - 1, 1 << 53, math.MinInt64}[n-250]
			}
			return int64(n % 50)
		}
		small := func() int32 { return int32(next()) }
		attributed := next()%2 == 0
		var texts []string
		for seq := int64(1); len(data) > 0; seq++ {
			b := Batch{Type: TypeBatch, Profile: 1 + int(next()/25), Seq: seq, Ended: next() == 9}
			for range next() % 4 {
				b.Records = append(b.Records, Record{ID: small(), Name: string(rune('a' + small())), File: []string{app, ""}[next()&1], Kind: recordKinds[next()&1*3]})
			}
			for range next() % 8 {
				b.Stacks = append(b.Stacks, small()-1, small(), small(), small())
			}
			for range next() % 8 {
				s := &b.Samples
				s.Delta, s.Stack, s.Weight = append(s.Delta, next()), append(s.Stack, small()-1), append(s.Weight, 1+small())
				s.Kind, s.Skid = append(s.Kind, int8(next()%6)), append(s.Skid, next())
			}
			text, err := json.Marshal(b)
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, string(text))
		}
		take(t, attributed, texts...)
	})
}

// take does with messages what a server does.
func take(t *testing.T, attributed bool, texts ...string) {
	t.Helper()
	limits := Limits{Bytes: 1 << 16, Samples: 50, Depth: 40, Marks: 5}
	r, stream := NewRecording(hello(attributed), nil), NewStream(attributed, scripts)
	r.Limits = limits
	panel := NewRecording(hello(true), nil)
	for _, text := range texts {
		message, err := limits.Decode([]byte(text))
		if err != nil {
			continue
		}
		b, ok := message.(*Batch)
		if !ok || r.Add(b) != nil {
			continue
		}
		if out := stream.Batch(b); out != nil {
			if err := panel.Add(sent(t, out)); err != nil {
				t.Fatalf("panels get what they cannot read: %v", err)
			}
		}
	}
	for _, of := range []*Recording{r, panel} {
		p := of.Profile(scripts)
		if err := p.CheckValid(); err != nil {
			t.Fatal(err)
		}
		BatchOf(p)
	}
}
