package k6

import (
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/fieldprof/fieldprof/ext/k6/programs"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile/format"
)

// Larger load tests have the metrics that they have without the extension. Every check
// takes a sample here, so profiles count checks and not time: cost compares with time.
func TestPrograms(t *testing.T) {
	server := httptest.NewServer(programs.Shop())
	defer server.Close()
	for _, p := range programs.All {
		t.Run(p.Name, func(t *testing.T) {
			folder := t.TempDir()
			must.Do(t, os.CopyFS(folder, programs.Scripts()))
			measure := func(out ...string) string {
				arguments := append([]string{"BASE=" + server.URL, "USERS=5", "ITERATIONS=20", "run", "--quiet", "--address", "", "--summary-export", "summary.json"}, out...)
				r := k6(t, folder, "", append(arguments, p.Script)...)
				must.Equal(t, r.code, 0, r.output)
				return fmt.Sprint(counts(t, filepath.Join(folder, "summary.json")))
			}
			want := measure()
			must.Equal(t, measure("--out", "fieldprof=out.pb.gz"), want)
			profile := must.Get(format.ReadFile(filepath.Join(folder, "out.pb.gz")))(t)
			found := false
			for i := range profile.Len() {
				f := profile.Function(profile.Frames.Function[profile.Stacks.Frame[profile.Sample(i).Stack]])
				found = found || f.Name == p.Hottest
			}
			if !found {
				t.Errorf("no sample of %s", p.Hottest)
			}
		})
	}
}
