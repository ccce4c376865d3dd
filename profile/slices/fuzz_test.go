package slices_test

import (
	"bytes"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/wicg"
	"github.com/fieldprof/fieldprof/profile/slices"
)

// FuzzBlame blames the functions of traces that may say anything.
func FuzzBlame(f *testing.F) {
	const rest = `"resources":["https://a.example/a.js"],"frames":[{"name":"f","resourceId":0,"line":2,"column":3},{"name":"(garbage collector)"}],"stacks":[{"frameId":0},{"frameId":1,"parentId":0}],`
	for _, seed := range []string{
		`"samples":[{"timestamp":10,"stackId":0,"weight":3,"kind":"loop","skid":9},{"timestamp":20,"weight":1},{"timestamp":33.3,"stackId":1,"weight":1,"kind":"gc"}],"fieldprof":{"version":1,"interval":10,"marks":[{"what":"interaction","name":"click","time":5,"duration":50,"inputDelay":3,"processing":20,"presentation":27}]}`,
		`"samples":[{"timestamp":1e11,"stackId":0,"weight":2147483647}],"fieldprof":{"version":1,"interval":1e8,"marks":[{"what":"long-task","name":"\u202e","time":0,"duration":1e11},{"what":"note","name":"n","detail":"d","time":1,"duration":9}]}`,
		`"samples":[],"fieldprof":{"version":1,"interval":0,"marks":[{"what":"load","name":"/","time":0,"duration":1}]}`,
		`"samples":[{"timestamp":1,"stackId":0},{"timestamp":1,"stackId":0,"marker":"layout"}],"fieldprof":{"version":1,"marks":[{"what":"measure","name":"","time":0,"duration":1e-6}]}`,
	} {
		f.Add([]byte("{" + rest + seed + "}"))
	}
	over := slices.Thresholds()
	over[profile.Measure] = 0
	for what := range over {
		over[what] = 0
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := wicg.Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		for _, s := range slices.Of(p, slices.Options{Over: over}) {
			b, sum := &s.Blame, time.Duration(0)
			for group, d := range b.Groups {
				if sum += d; d < 0 {
					t.Errorf("%v of %s", d, group)
				}
			}
			if sum != b.Total || b.Total != s.Mark.Duration {
				t.Errorf("the groups add up to %v of %v", sum, b.Total)
			}
			for _, f := range b.Functions {
				if f.Self < 0 || f.Self > f.Total || f.Total > b.Total {
					t.Errorf("%v and %v of %v", f.Self, f.Total, b.Total)
				}
			}
			if text := s.Explain(); !utf8.ValidString(text) || len(text) > 5000 || strings.ContainsAny(text, "\n\x1b\u202e") {
				t.Errorf("%q", text)
			}
		}
	})
}
