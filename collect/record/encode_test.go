package record

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/profile"
)

// randomProfile has rows that nothing needs, recursion, empty stacks and big numbers.
func randomProfile(r *rand.Rand) *profile.Profile {
	var b profile.Builder
	texts := []string{"", "a", "hot", "é", "\x00", "https://shop.example/app.js", "<script>", profile.NameIdle}
	text := func() string { return texts[r.IntN(len(texts))] }
	number := func() int32 { return []int32{0, 1, 127, 128, int32(r.IntN(5000)), math.MaxInt32}[r.IntN(6)] }
	b.Meta = profile.Meta{Start: time.Unix(r.Int64N(1e12)-1e11, r.Int64N(1e9)).UTC(), Duration: time.Duration(r.Int64N(1e12)),
		Interval: 10 * time.Millisecond, Program: text(), Ticks: profile.Ticks{Raised: 3, Idle: r.Int64N(9)}, Seed: r.Uint64(),
		DebugIDs: map[string]string{"https://shop.example/app.js": "9f0c", "unused.js": "41d2"}}
	stacks := []profile.StackID{profile.NoStack}
	for range r.IntN(40) {
		f := b.Function(profile.Function{Name: text(), File: text(), Line: number(), Column: number(), Flags: profile.Flags(r.IntN(128))})
		stacks = append(stacks, b.Stack(stacks[r.IntN(len(stacks))], b.Frame(f, number(), number())))
	}
	long, at := r.IntN(2) == 0, int64(0)
	for range r.IntN(60) {
		s := profile.Sample{Stack: stacks[r.IntN(len(stacks))], Weight: max(1, number()), Kind: profile.Kind(r.IntN(int(profile.Lost) + 1))}
		if long {
			at += r.Int64N(1 << uint(1+r.IntN(50)))
			s.Time, s.Skid, s.Marker = at, r.Int64N(1e9), profile.Marker(r.IntN(int(profile.MarkerOther)+1))
		}
		b.Sample(s)
	}
	for range r.IntN(3) {
		b.Mark(profile.Mark{What: profile.Interaction, Name: text(), Target: text(), Detail: text(), Time: time.Duration(r.Int64N(1e9)),
			Duration: time.Duration(r.Int64N(1e9)), InputDelay: 1, Processing: 2, Presentation: 3})
	}
	return b.Profile()
}

func randomChunk(r *rand.Rand) *Chunk {
	series := func() Series {
		return Series{App: "shop", Labels: Labels{Release: fmt.Sprint(r.IntN(3)), Route: "/"}, Slow: r.IntN(2) == 0, Rate: r.Float64(), Interval: time.Duration(r.Int64())}
	}
	id := func() ID { return IDOf(fmt.Sprint(r.Uint64())) }
	c := &Chunk{ID: id(), Series: series(), Source: "trace", At: time.Unix(r.Int64N(1e10), 5).UTC(), Observed: -5, View: id(), Number: r.IntN(9) - 1}
	if r.IntN(4) > 0 {
		c.Profile = randomProfile(r)
	}
	for range r.IntN(3) {
		c.Slices = append(c.Slices, Slice{ID: id(), Series: series(), At: c.At, View: c.View, Mark: profile.Mark{What: profile.LongTask, Time: -1},
			Cause: profile.Function{Name: "f", Line: -3, Flags: 255}, CauseGroup: "app", CauseTime: 7, Trace: EncodeProfile(randomProfile(r))})
	}
	if r.IntN(2) == 0 {
		c.Counts = &Counts{Interactions: r.Int64(), Slow: map[profile.What]int64{profile.Interaction: 3, "x": -1}, INP: 5}
	}
	if r.IntN(2) == 0 {
		c.Example = EncodeProfile(randomProfile(r))
	}
	return c
}

// spelled is all that a profile says, however its tables are numbered.
func spelled(p *profile.Profile) string {
	var b bytes.Buffer
	meta := p.Meta
	meta.DebugIDs = nil
	fmt.Fprintf(&b, "%+v\n%+v\n", meta, p.Marks)
	for i := range p.Len() {
		s := p.Sample(i)
		stack := s.Stack
		s.Stack = 0
		fmt.Fprintf(&b, "%+v", s)
		for ; stack != profile.NoStack; stack = p.Stacks.Parent[stack] {
			f := p.Stacks.Frame[stack]
			fmt.Fprintf(&b, " %q:%d:%d", p.Function(p.Frames.Function[f]), p.Frames.Line[f], p.Frames.Column[f])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestProfilesComeBack(t *testing.T) {
	for seed := range uint64(500) {
		p := randomProfile(rand.New(rand.NewPCG(seed, 1)))
		data := EncodeProfile(p)
		got, err := DecodeProfile(data)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if spelled(got) != spelled(p) {
			t.Fatalf("seed %d:\n%s\nbecame\n%s", seed, spelled(p), spelled(got))
		}
		if again := EncodeProfile(got); !bytes.Equal(again, data) {
			t.Fatalf("seed %d: written again, it is another text", seed)
		}
		if _, found := got.Meta.DebugIDs["unused.js"]; found || slices.Contains(got.Strings, "unused.js") {
			t.Fatalf("seed %d: the id of an unused file is kept", seed)
		}
	}
}

func TestChunksComeBack(t *testing.T) {
	for seed := range uint64(300) {
		c := randomChunk(rand.New(rand.NewPCG(seed, 2)))
		data := Encode(c)
		got, err := Decode(data)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if !bytes.Equal(Encode(got), data) {
			t.Fatalf("seed %d: written again, it is another text", seed)
		}
		if (got.Profile == nil) != (c.Profile == nil) || c.Profile != nil && spelled(got.Profile) != spelled(c.Profile) {
			t.Fatalf("seed %d: the profile is another", seed)
		}
		got.Profile, c.Profile = nil, nil
		if !reflect.DeepEqual(got, c) {
			t.Fatalf("seed %d:\n%+v\nbecame\n%+v", seed, c, got)
		}
	}
}

func TestZeroesComeBack(t *testing.T) {
	got, err := Decode(Encode(&Chunk{}))
	if err != nil || !got.At.IsZero() || !got.ID.IsZero() || got.Profile != nil || got.Counts != nil || got.Example != nil {
		t.Errorf("%+v, %v", got, err)
	}
	p, err := DecodeProfile(EncodeProfile(new(profile.Builder).Profile()))
	if err != nil || p.Len() != 0 || !p.Meta.Start.IsZero() {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestUnusedRowsAreLeftOut(t *testing.T) {
	var b profile.Builder
	at := profile.NoStack
	for i := range 1000 {
		at = b.Stack(profile.NoStack, b.Frame(b.Function(profile.Function{Name: fmt.Sprint("f", i), File: "a.js"}), 1, 1))
	}
	b.Sample(profile.Sample{Stack: at, Weight: 1})
	got, err := DecodeProfile(EncodeProfile(b.Profile()))
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Strings) != 3 || len(got.Functions.Name) != 1 || len(got.Frames.Line) != 1 || len(got.Stacks.Frame) != 1 {
		t.Errorf("%+v", got)
	}
}

// Every cut and every changed byte is noticed, or is harmless.
func TestDamage(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	data := Encode(randomChunk(r))
	for cut := range data {
		if _, err := Decode(data[:cut]); err == nil {
			t.Errorf("%d bytes of %d are taken for a chunk", cut, len(data))
		}
	}
	for i := range data {
		damaged := slices.Clone(data)
		damaged[i] ^= byte(1 + r.IntN(255))
		if c, err := Decode(damaged); err == nil && c.Profile != nil && c.Profile.CheckValid() != nil {
			t.Errorf("byte %d changed: the profile is invalid", i)
		}
	}
	if _, err := Decode(append([]byte{version + 1}, data[1:]...)); err == nil {
		t.Error("a later version is read")
	}
}

// allocated is what reading content allocates.
func allocated(content []byte) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r := reader{b: content}
	r.chunk()
	r = reader{b: content}
	r.profile()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// 64 times the input is less than any sender gains by.
func mustBeBounded(t *testing.T, content []byte) {
	t.Helper()
	if n := allocated(content); n > uint64(64*len(content)+64<<10) {
		t.Errorf("%d bytes make %d", len(content), n)
	}
}

func TestMemoryIsBounded(t *testing.T) {
	var w writer
	w.chunk(randomChunk(rand.New(rand.NewPCG(3, 3))))
	for i := range w.b { // counts that claim all there could be
		for _, v := range []byte{0x7f, 0xff} {
			content := slices.Clone(w.b)
			content[i] = v
			mustBeBounded(t, append(content, make([]byte, 10000)...))
		}
	}
	mustBeBounded(t, bytes.Repeat([]byte{1}, 1<<16))
	mustBeBounded(t, make([]byte, 1<<16))
}

// A short text may claim to be long, or even be it.
func TestBombs(t *testing.T) {
	bomb := pack(make([]byte, 32<<20), quick)
	if content, err := unpack(bomb); err != nil || len(content) != 32<<20 {
		t.Errorf("%d bytes, %v", len(content), err)
	}
	liar := []byte{version, 0xff, 0xff, 0xff, 0xff, 0x03} // 1 GiB - 1
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := unpack(append(liar, pack(make([]byte, 100), quick)[2:]...)); err == nil {
		t.Error("a lie is believed")
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 16<<20 {
		t.Errorf("a lie of a few bytes makes %d", n)
	}
}

func TestParts(t *testing.T) {
	large, small := pack(make([]byte, 900), quick), pack(make([]byte, 90), quick)
	var got []int
	for _, part := range Parts([][]byte{small, large, small, small, nil, {9}, large, large}, 1000) {
		got = append(got, len(part))
	}
	if !slices.Equal(got, []int{2, 4, 1, 1}) {
		t.Errorf("%v", got)
	}
	if Parts(nil, 1) != nil {
		t.Error("nothing has parts")
	}
}

func FuzzDecode(f *testing.F) {
	for seed := range uint64(8) {
		var w writer
		w.chunk(randomChunk(rand.New(rand.NewPCG(seed, 4))))
		f.Add(w.b)
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		if c, err := Decode(pack(content, quick)); err == nil {
			again, err := Decode(Encode(c))
			if err != nil || c.Profile != nil && spelled(again.Profile) != spelled(c.Profile) {
				t.Errorf("a chunk that was read cannot be written: %v", err)
			}
		}
		_, _ = Decode(content)
	})
}

func FuzzDecodeProfile(f *testing.F) {
	for seed := range uint64(8) {
		var w writer
		w.profile(randomProfile(rand.New(rand.NewPCG(seed, 5))))
		f.Add(w.b)
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		if p, err := DecodeProfile(pack(content, quick)); err == nil {
			again, err := DecodeProfile(EncodeProfile(p))
			if err != nil || spelled(again) != spelled(p) {
				t.Errorf("a profile that was read cannot be written: %v", err)
			}
		}
		_, _ = DecodeProfile(content)
	})
}

func BenchmarkEncode(b *testing.B) {
	c := &Chunk{Profile: Sum(randomProfile(rand.New(rand.NewPCG(9, 9))))}
	for b.Loop() {
		Encode(c)
	}
}
