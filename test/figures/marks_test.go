package figures

import (
	"strings"
	"testing"
	"testing/fstest"
)

// Whatever is not as the marks say is found; what is, passes.
func TestMarks(t *testing.T) {
	files := fstest.MapFS{
		"bench/results/a.json": {Data: []byte(`{"means":{"x y":[94.56,-3],"a/b":"text"}}`)},
		"runtime/a_test.go":    {Data: []byte("package runtime")},
	}
	for _, test := range []struct{ page, fault string }{
		{"Nothing to see in 2026, with N 10 and 60/30/10.", ""},
		{"Code: `10 ms`, and\n\n    1 MB of it\n\nand\n```\n5 %\n```\n", ""},
		{"<!-- figure: bench/results/a.json#/means/x%20y/0 -->94.6 %<!-- / -->", "there is no"},
		{"<!-- figure: bench/results/a.json#/means/a~1b -->94.6 %<!-- / -->", "is no number"},
		{"<!-- figure: bench/results/b.json#/x -->94.6 %<!-- / -->", "b.json"},
		{"<!-- figure: bench/a.json#/x -->94.6 %<!-- / -->", "name a file in bench/results"},
		{"<!-- bound: runtime/a_test.go -->2.5 KB<!-- / -->", ""},
		{"<!-- bound: runtime/b_test.go -->2.5 KB<!-- / -->", "b_test.go"},
		{"<!-- bound: runtime/a.go -->2.5 KB<!-- / -->", "no test"},
		{"<!-- set -->10 ms<!-- / --> and 11 ms", `"11 ms" stands without a mark`},
		{"It takes 3.5 µs a sample.", "stands without a mark"},
		{"Costs 2 to 6 %, is 8× as fast", "stands without a mark"},
		{"<!-- a remark on 10 ms -->", ""},
	} {
		got := strings.Join(faults(files, test.page), "; ")
		if test.fault == "" && got != "" || !strings.Contains(got, test.fault) {
			t.Errorf("%s\nfaults %q, want %q", test.page, got, test.fault)
		}
	}
}

func TestAgree(t *testing.T) {
	for _, test := range []struct {
		text  string
		value float64
		ok    bool
	}{
		{"94.6 %", 94.56, true}, {"95", 94.56, true}, {"94.5 %", 94.56, false}, {"−3.0", -3, true}, {"-2.9", -3, false}, {"about", 1, false},
	} {
		if err := agree(test.text, test.value); (err == nil) != test.ok {
			t.Errorf("%q of %v: %v", test.text, test.value, err)
		}
	}
}
