package figures

import (
	"fmt"
	"strings"
)

// statement is a figure that is not measured: a test bounds it, or, where no test is named,
// code, a standard or an example sets it.
type statement struct {
	page, text  string // the text is as on the page, with single spaces and without code
	test, bound string // the file of the test, and the bound as that file has it
}

const (
	sizes    = "runtime/runtime_test.go"
	choosers = "transform/builddir/sample_test.go"
)

var stated = []statement{
	{page: "docs/goja.md", text: "used 51ms of 50ms that a task may: 92%"},
	{page: "docs/collect.md", text: "within 25 s"},
	{page: "docs/collect.md", text: "more than 10 s is cut off"},
	{page: "README.md", text: "3 KB of runtime", test: sizes, bound: `"runtime.js": 3000`},
	{page: "docs/pages.md", text: "fetches 3 KB (gzip) of runtime", test: sizes, bound: `"runtime.js": 3000`},
	{page: "docs/pages.md", text: "fetches 3 KB of its own", test: sizes, bound: `"module.js": 3000`},
	{page: "docs/pages.md", text: "within 5 points", test: "test/profiles/moved_test.go", bound: `{"six": 60, "three": 30, "one": 10}, 5)`},
	{page: "docs/measurements.md", text: "ticks 10 ms apart"},
	{page: "docs/reproducing.md", text: "value, 95 % interval"},
	{page: "docs/dashboard.md", text: "are 95 % intervals"},
	{page: "docs/dashboard.md", text: "good up to 200 ms"},
	{page: "docs/dashboard.md", text: "needs improvement up to 500 ms"},
	{page: "docs/forwarding.md", text: "15 s by default"},
	{page: "docs/asking.md", text: "If a script with 5 % of"},
	{page: "docs/asking.md", text: "classes that are 2.2 % wide"},
	{page: "docs/asking.md", text: "at most 2 % find"},
	{page: "docs/asking.md", text: "Maps and tables above 32 MB"},
	{page: "docs/ingest.md", text: "values of 200 bytes"},
	{page: "docs/ingest.md", text: "rounded (to 10 or 16 ms"},
	{page: "docs/ingest.md", text: "Names are cut to 300 bytes"},
	{page: "docs/api.md", text: "gives up after 30 s"},
	{page: "docs/api.md", text: "32 MiB per file", test: "collect/api/files_test.go", bound: `413, "32 MiB"`},
	{page: "docs/api.md", text: "512 MiB and 5,000", test: "collect/api/files_test.go", bound: `413, "512 MiB"`},
	{page: "docs/api.md", text: "at most 100 points", test: "collect/api/parameters_test.go", bound: `"more than 100 steps"`},
	{page: "docs/api.md", text: "half of the 95 % interval"},
	{page: "docs/conformance.md", text: "a multiple of 10 ms"},
	{page: "docs/conformance.md", text: "add 1.1 KB (gzip) to runtime.js", test: sizes, bound: "runtime.Options{WrapWorkers: true}, 1100"},
	{page: "docs/pages.md", text: "are multiples of 10 ms"},
	{page: "docs/pages.md", text: "asked for 1 ms has 10"},
	{page: "docs/pages.md", text: "makes them multiples of 1 ms"},
	{page: "docs/pages.md", text: "1.86 s at 10 ms", test: "profile/ticktime_test.go", bound: "10 * ms, 1860 * ms, Ticks{Raised: 212}"},
	{page: "docs/pages.md", text: "or 2.12 s of ticks", test: "profile/ticktime_test.go", bound: "10 * ms, 1860 * ms, Ticks{Raised: 212}"},
	{page: "docs/deploying.md", text: "0.7 KB of page", test: choosers, bound: "raw > 700+2*110"},
	{page: "docs/deploying.md", text: "0.1 KB for each script", test: choosers, bound: "raw > 700+2*110"},
	{page: "docs/deploying.md", text: "0.4 KB compressed", test: choosers, bound: "gzip > 450"},
	{page: "docs/formats.md", text: "from 16 MB on"},
	{page: "docs/formats.md", text: "4 GB in all"},
	{page: "docs/formats.md", text: "read up to 1 GB, and the Firefox formats up to 2 GB"},
	{page: "docs/formats.md", text: "10 ms if all samples last 10 ms"},
	{page: "docs/formats.md", text: "more than 66 seconds"},
	{page: "docs/formats.md", text: "(50 ms or longer)", test: "profile/format/chrometrace/marks_test.go", bound: "What: profile.LongTask, Duration: 50 * ms"},
	{page: "docs/formats/firefox.md", text: "took 16 ms or"},
	{page: "docs/interactions.md", text: "282 ms of 310"},
	{page: "docs/interactions.md", text: "the last 30 seconds"},
	{page: "docs/interactions.md", text: "Tasks of 50 ms and more"},
	{page: "docs/interactions.md", text: "events below 40 ms"},
	{page: "docs/interactions.md", text: "to 8 ms"},
	{page: "docs/interactions.md", text: "Those below 16 ms"},
	{page: "docs/interactions.md", text: "some 10 ms apart"},
	{page: "docs/interactions.md", text: "multiples of 8 ms"},
	{page: "docs/interactions.md", text: "those of 16 ms and more"},
	{page: "docs/live.md", text: "at most every 250 ms"},
	{page: "docs/live.md", text: "is bounded (8 MB)"},
	{page: "docs/live.md", text: "from 250 ms to 5 s"},
	{page: "docs/live.md", text: "4096 bytes of UTF-8", test: "profile/live/limits_test.go", bound: "of at most 4096"},
	{page: "docs/live.md", text: "0.05 ms to 60 s"},
	{page: "docs/mozilla.md", text: "within 1 % of the value"},
	{page: "docs/sdks.md", text: "3,000 samples at 10 ms", test: "test/sdk/minutes_test.go", bound: "samples == 3000"},
	{page: "docs/sdks.md", text: "which is 30 seconds", test: "test/sdk/minutes_test.go", bound: "seconds > 25"},
	{page: "docs/sdks.md", text: "accepts (66 s)"},
	{page: "docs/sdks.md", text: "more than 60,000 bytes"},
	{page: "docs/sending.md", text: "within 30 s"},
	{page: "docs/served.md", text: "more than 20 MB", test: "internal/serve/site/proxy_test.go", bound: "/large.js is larger than 20 MB"},
	{page: "docs/sending.md", text: "at 1 %"},
	{page: "docs/sending.md", text: "at 10 %"},
	{page: "docs/sending.md", text: "waits 10 s for consent"},
	{page: "docs/sending.md", text: "less than 4 KB (gzip)", test: "test/send/slices_test.go", bound: "n >= 4096"},
	{page: "docs/sending.md", text: "600 / 24,000 = 2.5 %"},
	{page: "docs/sending.md", text: "270 / 600 = 45 %"},
	{page: "docs/sending.md", text: "rounded to 0.01 ms"},
	{page: "docs/serving.md", text: "256 MB; profiles of sources"},
	{page: "docs/serving.md", text: "4 MB from a source"},
	{page: "docs/views.md", text: "1 % by default"},
	{page: "docs/views.md", text: "95 % confidence interval"},
}

// statedIn lists the statements of a page.
func statedIn(page string) []statement {
	var list []statement
	for _, s := range stated {
		if s.page == page {
			list = append(list, s)
		}
	}
	return list
}

// check checks that the test that bounds the figure still has the bound.
func (s statement) check(files fileReader) error {
	switch {
	case s.test == "":
		return nil
	case !strings.HasSuffix(s.test, "_test.go"):
		return fmt.Errorf("%q is not a test", s.test)
	case s.bound == "":
		return fmt.Errorf("name the bound as %s has it", s.test)
	}
	text, err := files.ReadFile(s.test)
	if err != nil {
		return err
	}
	if !strings.Contains(string(text), s.bound) {
		return fmt.Errorf("%s does not contain %q any more", s.test, s.bound)
	}
	return nil
}
