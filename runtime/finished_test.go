package runtime_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	pb "github.com/google/pprof/profile"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format"
	"github.com/fieldprof/fieldprof/profile/format/otlp"
	"github.com/fieldprof/fieldprof/profile/format/pprof"
	"github.com/fieldprof/fieldprof/profile/view"
)

// Batches for the panel wait for room on the disk.
func TestStreamWithoutRoom(t *testing.T) {
	runNode(t, bundle(t, "testdata/node/stream.ts"), t.TempDir())
}

// Go reads Node's profiles in each format: original names, ticks, labels.
func TestFinishedProfiles(t *testing.T) {
	folder := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
	runNode(t, bundle(t, "testdata/node/finished.ts"), folder)
	hot := filepath.Join(folder, "src/hot.ts")

	p := must.Get(format.ReadFile(filepath.Join(folder, "a.cpuprofile")))(t)
	sums(t, p, map[string]int64{"hot " + hot: 8, "(idle) ": 2})

	for name, want := range map[string]struct {
		raw    []byte
		ticks  map[string]int64
		labels []string
	}{
		"collector": {must.Get(os.ReadFile(filepath.Join(folder, "collector.pb.gz")))(t), map[string]int64{"hot " + hot: 4}, []string{"route=/b thread=worker 1"}},
		"pyroscope": {pushed(t, filepath.Join(folder, "pyroscope.json")), map[string]int64{"hot " + hot: 8}, []string{"route=(other) thread=worker 1", "route=/a tenant=x thread=worker 1", "route=/b thread=worker 1"}},
	} {
		parsed := must.Get(pb.ParseData(want.raw))(t, name)
		must.Do(t, parsed.CheckValid(), name)
		must.Equal(t, strings.Join(labelsOf(parsed), "\n"), strings.Join(want.labels, "\n"), name)
		p := must.Get(pprof.Read(bytes.NewReader(want.raw)))(t, name)
		sums(t, p, want.ticks)
		must.Equal(t, p.Meta.Interval, 10*time.Millisecond, name)
		must.Equal(t, p.Meta.Program, "shop (worker 1)", name)
		must.Equal(t, p.Meta.Ticks, profile.Ticks{Raised: 10, Taken: 8, Idle: 2, Dropped: 100}, name)
	}

	message := must.Get(otlp.FromJSON(unzipped(t, filepath.Join(folder, "otlp.json.gz")), 1e6))(t)
	must.Contain(t, "the message", string(message), "service.version", "tenant", "worker 1")
	sums(t, must.Get(otlp.Read(bytes.NewReader(message)))(t), map[string]int64{"hot " + hot: 8})
}

// sums compares the ticks of functions, by name and file.
func sums(t *testing.T, p *profile.Profile, want map[string]int64) {
	t.Helper()
	got := map[string]int64{}
	for _, row := range view.Flat(p) {
		if row.Self > 0 {
			got[row.Name+" "+row.File] += row.Self
		}
	}
	if len(got) != len(want) {
		t.Errorf("functions are %v, want %v", got, want)
	}
	for name, ticks := range want {
		must.Equal(t, got[name], ticks, name)
	}
}

// labelsOf are the sets of labels that samples have.
func labelsOf(p *pb.Profile) []string {
	var sets []string
	for _, sample := range p.Sample {
		var set []string
		for key, values := range sample.Label {
			set = append(set, key+"="+strings.Join(values, ","))
		}
		slices.Sort(set)
		sets = append(sets, strings.Join(set, " "))
	}
	slices.Sort(sets)
	return slices.Compact(sets)
}

// pushed is the profile of a push to Pyroscope.
func pushed(t *testing.T, file string) []byte {
	t.Helper()
	var push struct {
		Series []struct {
			Labels  []struct{ Name, Value string }
			Samples []struct{ RawProfile []byte }
		}
	}
	must.Do(t, json.Unmarshal(must.Get(os.ReadFile(file))(t), &push))
	var labels []string
	for _, l := range push.Series[0].Labels {
		labels = append(labels, l.Name+"="+l.Value)
	}
	must.Equal(t, strings.Join(labels, " "), "__name__=process_cpu release=1.2 service_name=shop thread=worker 1")
	return push.Series[0].Samples[0].RawProfile
}

func unzipped(t *testing.T, file string) []byte {
	t.Helper()
	plain := must.Get(gzip.NewReader(bytes.NewReader(must.Get(os.ReadFile(file))(t))))(t)
	return must.Get(io.ReadAll(plain))(t)
}
