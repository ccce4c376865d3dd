package training

import (
	"testing"
)

// Whatever a file of counts says, it is refused with its name, or keeps to every bound: it is
// written as it was read, merges with itself, and its choice fits the budget.
func FuzzCounts(f *testing.F) {
	for _, seed := range []string{
		counted, "", "[]", "null", "{}", counted[:40], counted + "{}",
		`{"format":"fieldprof counts","version":1,"build":"b","preset":"precise","sessions":1,"milliseconds":1e300,"files":[]}`,
		`{"format":"fieldprof counts","format":"x","__proto__":{"version":1},"constructor":1}`,
		`{"files":[{"functions":[[[[[[[[[[]]]]]]]]]]}]}`,
		`{"format":"fieldprof counts","version":1,"build":"b","preset":"precise","sessions":1,"milliseconds":0.001,"files":[{"file":"__proto__","hash":"h","functions":[{"index":0,"line":1,"column":1,"name":"constructor","statements":2147483647,"entry":9007199254740992,"loops":[9007199254740992,9007199254740992],"exit":0}]}]}`,
	} {
		f.Add([]byte(seed), 2.0)
	}
	f.Fuzz(func(t *testing.T, data []byte, percent float64) {
		c, err := Read("c.json", data)
		if err != nil {
			if text := err.Error(); len(text) < 8 || text[:6] != "c.json" {
				t.Fatalf("the message does not say where: %q", text)
			}
			return
		}
		text, err := c.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := Read("c.json", text)
		if err != nil {
			t.Fatalf("%s is refused: %v", text, err)
		}
		if twice, err := again.Encode(); err != nil || string(twice) != string(text) {
			t.Fatalf("%s became %s (%v)", text, twice, err)
		}
		if merged, err := Merge(c, again); err == nil && merged.Milliseconds != 2*c.Milliseconds {
			t.Fatalf("%v ms twice are %v ms", c.Milliseconds, merged.Milliseconds)
		}
		if !(percent > 0 && percent <= 100) {
			percent = 2
		}
		choice := c.Choose(Inline, percent, nil)
		if overhead := choice.Overhead(); !(overhead >= 0) || !choice.Exceeds && overhead > percent*(1+1e-9) {
			t.Fatalf("%v%% of %v%%", overhead, percent)
		}
	})
}
