package format

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// oddValues are what nobody writes, and many readers do not expect.
var oddValues = []string{"null", "true", `""`, `"x"`, "[]", "{}", "[[]]", "[null]", "-1", "0", "0.5", "-0", "1e-320", "1e18", "1e300", "-1e300", "9223372036854775807", "-9223372036854775808", "18446744073709551616", "2147483648"}

// oddMaker makes other files of a JSON file: with values that are missing, odd, twice or elsewhere, members in any order, and
// some without their end.
type oddMaker struct {
	*rand.Rand
	out  bytes.Buffer
	rate float64 // of changes
}

func (m *oddMaker) isOne() bool { return m.Float64() < m.rate }

func (m *oddMaker) write(v any) {
	if m.isOne() {
		m.out.WriteString(oddValues[m.IntN(len(oddValues))])
		return
	}
	switch v := v.(type) {
	case map[string]any:
		keys := slices.Sorted(maps.Keys(v))
		m.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
		m.list('{', '}', len(keys), func(i int) {
			fmt.Fprintf(&m.out, "%q:", keys[i])
			m.write(v[keys[i]])
		})
	case []any:
		if m.isOne() {
			v = slices.Clone(v)
			m.Shuffle(len(v), func(i, j int) { v[i], v[j] = v[j], v[i] })
		}
		m.list('[', ']', len(v), func(i int) { m.write(v[i]) })
	case json.Number:
		m.out.WriteString(string(v))
	default:
		text, _ := json.Marshal(v) // texts and truths always have a JSON form
		m.out.Write(text)
	}
}

// list writes n entries, of which some are missing, and some twice.
func (m *oddMaker) list(open, end byte, n int, entry func(i int)) {
	m.out.WriteByte(open)
	first := true
	for i := range n {
		times := 1
		if m.isOne() {
			times = 2 * m.IntN(2)
		}
		for range times {
			if !first {
				m.out.WriteByte(',')
			}
			first = false
			entry(i)
		}
	}
	m.out.WriteByte(end)
}

// TestOddFiles has readers read files that nobody writes. They refuse them, or make a valid profile, in which all time
// that is not of one of our own files has a row, and which every format keeps the ticks of, or refuses.
func TestOddFiles(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	files := maps.Clone(lasting)
	for _, f := range All() {
		p := randomProfile(r)
		for p.Len() == 0 {
			p = randomProfile(r)
		}
		if text := write(t, f, p); json.Valid(text) {
			files["written as "+f.Name] = string(text)
		}
	}
	read := map[bool]int{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		var whole any
		in := json.NewDecoder(strings.NewReader(files[name]))
		in.UseNumber()
		must.Do(t, in.Decode(&whole), name)
		for round := range rounds(120) {
			m := oddMaker{Rand: r, rate: []float64{0.3, 0.03, 0.003, 0.001}[round%4]}
			m.write(whole)
			if round%8 == 3 {
				m.out.Truncate(r.IntN(m.out.Len() + 1))
			}
			for _, f := range All() {
				p, err := f.Read(bytes.NewReader(m.out.Bytes()))
				read[err == nil]++
				if err == nil {
					checkOdd(t, p, m.out.String())
				}
			}
		}
	}
	if read[true] < 100 || read[false] < 100 {
		t.Errorf("read %v", read)
	}
}

func checkOdd(t *testing.T, p *profile.Profile, text string) {
	t.Helper()
	must.Do(t, p.CheckValid(), text)
	if !strings.Contains(text, `"fieldprof"`) && slices.Contains(p.Samples.Stack, profile.NoStack) {
		t.Fatalf("a sample has no stack: %s", text)
	}
	if tick := p.TickTime(); !(tick >= 0) || p.Lead() < 0 || p.Extent() < 0 {
		t.Fatalf("a tick of %v, from %v to %v: %s", tick, p.Lead(), p.Extent(), text)
	}
	if p.Samples.Ticks() > 1<<12 {
		return // which takes long to write
	}
	for _, f := range All() {
		var out bytes.Buffer
		if !writable(f, p) || f.Write(&out, p) != nil {
			continue
		}
		switch again, err := f.Read(&out); {
		case err != nil && !slices.ContainsFunc([]string{"no time", "not a time", "not a duration"}, func(text string) bool { return strings.Contains(err.Error(), text) }): // decades
			t.Fatalf("%s does not read what it wrote: %v: %s", f.Name, err, text)
		case err == nil && again.Samples.Ticks() != p.Samples.Ticks():
			t.Fatalf("%s: %d ticks, then %d: %s", f.Name, p.Samples.Ticks(), again.Samples.Ticks(), text)
		}
	}
}
