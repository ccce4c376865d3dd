package archive

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/internal/must"
)

// sealed is a folder of two files with their manifest.
func sealed(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	must.Write(t, folder, "00001.recording.json.gz", "one")
	must.Write(t, folder, "00002.recording.json.gz", "two")
	must.Do(t, Seal(folder, Manifest{Pattern: Recordings, Origin: &figures.Origin{Command: "go run ./bench bias"}, Took: 5}))
	return folder
}

func TestVerify(t *testing.T) {
	m := must.Get(Verify(sealed(t), Recordings))(t)
	if m.Origin.Command != "go run ./bench bias" || m.Took != 5 || len(m.Files) != 2 ||
		m.Files["00001.recording.json.gz"] != (File{3, "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed"}) {
		t.Errorf("%+v", m)
	}
}

// Every fault of a folder is named, with its place.
func TestVerifyFindsFaults(t *testing.T) {
	for _, test := range []struct {
		what   string
		damage func(t *testing.T, folder string)
		faults []string
	}{
		{"altered", func(t *testing.T, folder string) { must.Write(t, folder, "00001.recording.json.gz", "eno") },
			[]string{"00001.recording.json.gz: was altered: its sum"}},
		{"cut off", func(t *testing.T, folder string) { must.Write(t, folder, "00002.recording.json.gz", "t") },
			[]string{"00002.recording.json.gz: was altered: it has 1 bytes, and the manifest says 3"}},
		{"missing and extra", func(t *testing.T, folder string) {
			must.Do(t, os.Rename(filepath.Join(folder, "00001.recording.json.gz"), filepath.Join(folder, "00003.recording.json.gz")))
		}, []string{"00001.recording.json.gz: is missing", "00003.recording.json.gz: is not in the manifest"}},
		{"a link", func(t *testing.T, folder string) {
			must.Do(t, os.Remove(filepath.Join(folder, "00001.recording.json.gz")))
			must.Do(t, os.Symlink("00002.recording.json.gz", filepath.Join(folder, "00001.recording.json.gz")))
		}, []string{"00001.recording.json.gz: is no regular file"}},
		{"no manifest", func(t *testing.T, folder string) { must.Do(t, os.Remove(filepath.Join(folder, ManifestName))) },
			[]string{ManifestName + ": is missing"}},
		{"another version", func(t *testing.T, folder string) {
			must.Write(t, folder, ManifestName, `{"version":2,"pattern":"*.recording.json.gz","files":{}}`)
		}, []string{ManifestName + ": is of version 2, and this program reads version 1"}},
		{"another pattern", func(t *testing.T, folder string) {
			must.Write(t, folder, ManifestName, `{"version":1,"pattern":"*.json","files":{"a.json":{}}}`)
		}, []string{`is of the files "*.json", and not of`}},
		{"no files", func(t *testing.T, folder string) {
			must.Write(t, folder, ManifestName, `{"version":1,"pattern":"*.recording.json.gz"}`)
		}, []string{"lists 0 files"}},
		{"a path", func(t *testing.T, folder string) {
			must.Write(t, folder, ManifestName, `{"version":1,"pattern":"*.recording.json.gz","files":{"../1.recording.json.gz":{}}}`)
		}, []string{`lists "../1.recording.json.gz"`}},
		{"no JSON", func(t *testing.T, folder string) { must.Write(t, folder, ManifestName, "[") }, []string{ManifestName + ": "}},
	} {
		folder := sealed(t)
		test.damage(t, folder)
		_, err := Verify(folder, Recordings)
		for _, fault := range test.faults {
			if err == nil || !strings.Contains(err.Error(), folder) || !strings.Contains(err.Error(), fault) {
				t.Errorf("%s: %v, want %s", test.what, err, fault)
			}
		}
	}
}

func TestFaultsAreBounded(t *testing.T) {
	folder := sealed(t)
	for i := range 100 {
		must.Write(t, folder, fmt.Sprintf("1%04d.recording.json.gz", i), "")
	}
	if _, err := Verify(folder, Recordings); err == nil || strings.Count(err.Error(), "\n") != mostFaults || !strings.Contains(err.Error(), "and 80 more") {
		t.Errorf("%v", err)
	}
}

func TestPackAndUnpack(t *testing.T) {
	folder, out := sealed(t), t.TempDir()
	for _, name := range []string{"a.tar.zst", "a.tar.gz"} {
		first, second := filepath.Join(out, "1"+name), filepath.Join(out, "2"+name)
		must.Do(t, Pack(folder, first))
		must.Do(t, Pack(folder, second))
		if !bytes.Equal(must.Get(os.ReadFile(first))(t), must.Get(os.ReadFile(second))(t)) {
			t.Errorf("%s: the same folder gives two files", name)
		}
		to := filepath.Join(out, "unpacked-"+name)
		must.Do(t, Unpack(first, to))
		for _, file := range []string{ManifestName, "00001.recording.json.gz", "00002.recording.json.gz"} {
			if !bytes.Equal(must.Get(os.ReadFile(filepath.Join(to, file)))(t), must.Get(os.ReadFile(filepath.Join(folder, file)))(t)) {
				t.Errorf("%s: %s is not what was packed", name, file)
			}
		}
		if err := Unpack(first, to); err == nil {
			t.Error("it unpacked into a folder that was there")
		}
		if err := Pack(folder, first); err == nil {
			t.Error("it overwrote a file")
		}
	}
	if err := Pack(folder, filepath.Join(out, "a.zip")); err == nil || !strings.Contains(err.Error(), ".tar.zst") {
		t.Errorf("a.zip: %v", err)
	}
	must.Write(t, folder, "00001.recording.json.gz", "?")
	if err := Pack(folder, filepath.Join(out, "altered.tar.gz")); err == nil {
		t.Error("it packed a folder that is not what was sealed")
	}
}

// Archives from elsewhere write nothing outside their folder, and leave none.
func TestUnpackHostile(t *testing.T) {
	manifest := `{"version":1,"pattern":"*.recording.json.gz","files":{"1.recording.json.gz":{"bytes":1,"sha256":""}}}`
	for what, entries := range map[string][]tar.Header{
		"a path upwards":   {{Typeflag: tar.TypeReg, Name: "../out"}},
		"an absolute path": {{Typeflag: tar.TypeReg, Name: "/out"}},
		"a folder":         {{Typeflag: tar.TypeDir, Name: "out"}},
		"a path downwards": {{Typeflag: tar.TypeReg, Name: "a/out"}},
		"a hidden file":    {{Typeflag: tar.TypeReg, Name: ".out"}},
		"a drive":          {{Typeflag: tar.TypeReg, Name: `c:out`}},
		"a link":           {{Typeflag: tar.TypeSymlink, Name: "1.recording.json.gz", Linkname: "/etc/passwd"}},
		"a hard link":      {{Typeflag: tar.TypeLink, Name: "1.recording.json.gz", Linkname: "../out"}},
		"a name twice":     {{Typeflag: tar.TypeReg, Name: "1"}, {Typeflag: tar.TypeReg, Name: "1"}},
		"a large file":     {{Typeflag: tar.TypeReg, Name: "1", Size: maxFile + 1}},
		"no manifest":      {{Typeflag: tar.TypeReg, Name: "1.recording.json.gz"}},
		"an altered file":  {{Typeflag: tar.TypeReg, Name: ManifestName, Size: int64(len(manifest))}, {Typeflag: tar.TypeReg, Name: "1.recording.json.gz"}},
	} {
		var b bytes.Buffer
		packed := gzip.NewWriter(&b)
		w := tar.NewWriter(packed)
		for _, h := range entries {
			must.Do(t, w.WriteHeader(&h))
			if h.Name == ManifestName {
				must.Get(w.Write([]byte(manifest)))(t)
			}
		}
		_ = w.Flush() // a large file lacks its content
		must.Do(t, packed.Close())
		parent := t.TempDir()
		file, folder := filepath.Join(parent, "a.tar.gz"), filepath.Join(parent, "to")
		must.Do(t, os.WriteFile(file, b.Bytes(), 0o600))
		if err := Unpack(file, folder); err == nil {
			t.Errorf("%s was unpacked", what)
		}
		if left := must.Get(os.ReadDir(parent))(t); len(left) != 1 {
			t.Errorf("%s left %v", what, left)
		}
	}
}

// A window of gigabytes is refused.
func TestUnpackBounded(t *testing.T) {
	var b bytes.Buffer
	w := must.Get(zstd.NewWriter(&b, zstd.WithWindowSize(zstd.MaxWindowSize), zstd.WithSingleSegment(false)))(t)
	must.Get(w.Write(make([]byte, 1<<20)))(t)
	must.Do(t, w.Flush())
	must.Get(w.Write(make([]byte, 1<<20)))(t)
	must.Do(t, w.Close())
	file := filepath.Join(t.TempDir(), "a.tar.zst")
	must.Do(t, os.WriteFile(file, b.Bytes(), 0o600))
	if err := Unpack(file, filepath.Join(t.TempDir(), "to")); err == nil || !strings.Contains(err.Error(), "window") {
		t.Errorf("%v", err)
	}
}

// The results that are committed are the ones in their manifest.
func TestResultsAreTheirManifests(t *testing.T) {
	folder := "../results"
	if _, err := Verify(folder, Results); err != nil {
		t.Errorf("%v\ngo run ./bench --out bench/results … and go generate ./bench/bias write the manifest", err)
	}
}

func FuzzManifest(f *testing.F) {
	f.Add([]byte(`{"version":1,"pattern":"*.recording.json.gz","files":{"1.recording.json.gz":{"bytes":1,"sha256":""}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		folder := t.TempDir()
		must.Do(t, os.WriteFile(filepath.Join(folder, ManifestName), text, 0o600))
		if m, err := Verify(folder, Recordings); err == nil {
			t.Errorf("a folder without files is what %+v lists", m)
		} else if !json.Valid(text) && !strings.Contains(err.Error(), ManifestName) {
			t.Errorf("%q is no JSON: %v", text, err)
		}
	})
}
