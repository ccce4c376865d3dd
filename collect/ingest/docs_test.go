package ingest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// docs/ingest.md tells every reason, metric and limit.
func TestDocs(t *testing.T) {
	docs := string(must.Get(os.ReadFile("../../docs/ingest.md"))(t))
	reasons := regexp.MustCompile(`refused\(http\.\w+, "([a-z-]+)"|refusal\{http\.\w+, "([a-z-]+)"|dropped\((?:\w|\.)+, "([a-z-]+)"|refused[:=] *=? *"([a-z-]+)"|counter\("(\w+)"|Name: "fieldprof_(\w+)"`)
	found := 0
	for _, file := range must.Get(filepath.Glob("*.go"))(t) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, m := range reasons.FindAllStringSubmatch(string(must.Get(os.ReadFile(file))(t)), -1) {
			found++
			if name := strings.Join(m[1:], ""); !strings.Contains(docs, "`"+name+"`") && !strings.Contains(docs, "`fieldprof_"+name+"`") {
				t.Errorf("%s: docs/ingest.md does not tell %q", file, name)
			}
		}
	}
	if found < 30 {
		t.Errorf("%d names were found", found)
	}
}
