package server

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/fieldprof/fieldprof/internal/must"
)

var registered = regexp.MustCompile(`fqName: "(fieldprof_\w+)", help: "([^"]*)", .*constLabels: \{.*\}, variableLabels: \{(.*)\}\}$`)

// docs/collect.md has every metric with its labels and its meaning, and no others.
func TestDocsHaveTheMetrics(t *testing.T) {
	s := opened(t, Options{}, nil)
	all := make(chan *prometheus.Desc, 1000)
	s.metrics.registry.Describe(all)
	close(all)
	var want []string
	for d := range all {
		if m := registered.FindStringSubmatch(d.String()); m != nil {
			name := m[1]
			if m[3] != "" {
				name += "{" + m[3] + "}"
			}
			want = append(want, "| `"+name+"` | "+strings.TrimSuffix(m[2], ".")+" |")
		}
	}
	slices.Sort(want)
	var got []string
	for line := range strings.Lines(string(must.Get(os.ReadFile("../../docs/collect.md"))(t))) {
		if strings.HasPrefix(line, "| `fieldprof_") {
			got = append(got, strings.TrimSpace(line))
		}
	}
	if len(want) < 20 || !slices.Equal(got, want) {
		t.Errorf("the page lacks or has wrong lines; these are right:\n%s", strings.Join(want, "\n"))
	}
}
