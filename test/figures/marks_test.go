package figures

import (
	"strings"
	"testing"
	"testing/fstest"
)

// Figures that are not what their marks or the list say are found; the others pass.
func TestMarks(t *testing.T) {
	files := fstest.MapFS{
		"bench/results/a.json": {Data: []byte(`{"means":{"x y":[94.56,-3],"a/b":"text"}}`)},
		"runtime/a_test.go":    {Data: []byte("package runtime\nconst most = 2500")},
	}
	for _, test := range []struct{ page, fault string }{
		{"Nothing to see in 2026, with N 10 and 60/30/10.", ""},
		{"Code: `10 ms`, and\n\n    1 MB of it\n\nand\n```\n5 %\n```\n", ""},
		{"<!-- figure: bench/results/a.json#/means/x%20y/0 -->94.6 %<!-- / -->", "there is no"},
		{"<!-- figure: bench/results/a.json#/means/a~1b -->94.6 %<!-- / -->", "is not a number"},
		{"<!-- figure: bench/results/b.json#/x -->94.6 %<!-- / -->", "b.json"},
		{"<!-- figure: bench/a.json#/x -->94.6 %<!-- / -->", "name a file in bench/results"},
		{"<!-- set -->10 ms<!-- / -->", "there are no marks"},
		{"11 ms", `"11 ms" has no mark`},
		{"It takes 3.5 µs a sample.", "has no mark"},
		{"Costs 2 to 6 %, is 8× as fast", "has no mark"},
		{"<!-- a remark on 10 ms -->", ""},
	} {
		got := strings.Join(faults(files, test.page, nil), "; ")
		if test.fault == "" && got != "" || !strings.Contains(got, test.fault) {
			t.Errorf("%s\nfaults %q, want %q", test.page, got, test.fault)
		}
	}
}

// A listed figure is on its page, and the test that it names has its bound.
func TestStated(t *testing.T) {
	files := fstest.MapFS{"runtime/a_test.go": {Data: []byte("package runtime\nconst most = 2500")}}
	for _, test := range []struct {
		page   string
		stated statement
		fault  string
	}{
		{"It takes 2.5 KB\nof runtime.", statement{text: "2.5 KB of runtime", test: "runtime/a_test.go", bound: "most = 2500"}, ""},
		{"It takes 2.5 KB.", statement{text: "2.5 KB", test: "runtime/a_test.go", bound: "most = 2600"}, "does not contain"},
		{"It takes 2.5 KB.", statement{text: "2.5 KB", test: "runtime/a_test.go"}, "name the bound"},
		{"It takes 2.5 KB.", statement{text: "2.5 KB", test: "runtime/b_test.go", bound: "most"}, "b_test.go"},
		{"It takes 2.5 KB.", statement{text: "2.5 KB", test: "runtime/a.go", bound: "most"}, "is not a test"},
		{"Every 10 ms.", statement{text: "10 ms"}, ""},
		{"Every 10 ms, or 11 ms.", statement{text: "10 ms"}, `"11 ms" has no mark`},
		{"Never.", statement{text: "10 ms"}, "not on the page"},
	} {
		got := strings.Join(faults(files, test.page, []statement{test.stated}), "; ")
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
