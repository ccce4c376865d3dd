package archive

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/fieldprof/fieldprof/internal/must"
)

// sample is the part of an archive that is committed.
const sample = "../testdata/archive"

func schema(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	return must.Get(jsonschema.NewCompiler().Compile(name))(t)
}

func parse(t *testing.T, r io.Reader) any {
	t.Helper()
	return must.Get(jsonschema.UnmarshalJSON(r))(t)
}

// Manifests and recordings that the bench wrote are as the schemas say.
func TestSchemasAreOfTheArchive(t *testing.T) {
	manifest, recording := schema(t, "manifest.schema.json"), schema(t, "recording.schema.json")
	for _, folder := range []string{sample, "../results"} {
		if err := manifest.Validate(parse(t, bytes.NewReader(must.Get(os.ReadFile(filepath.Join(folder, ManifestName)))(t)))); err != nil {
			t.Errorf("%s: %v", folder, err)
		}
	}
	paths := must.Get(filepath.Glob(filepath.Join(sample, Recordings)))(t)
	if len(paths) < 10 {
		t.Fatalf("only %d recordings are committed", len(paths))
	}
	for _, path := range paths {
		packed := must.Get(gzip.NewReader(bytes.NewReader(must.Get(os.ReadFile(path))(t))))(t)
		if err := recording.Validate(parse(t, packed)); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// The schemas reject what they do not allow: they are not open to everything.
func TestSchemasObject(t *testing.T) {
	for name, texts := range map[string][]string{
		"manifest.schema.json": {
			`{}`, `{"version":2,"pattern":"*.json","files":{"a.json":{"bytes":1,"sha256":"` + strings.Repeat("0", 64) + `"}}}`,
			`{"version":1,"pattern":"*.json","files":{"../a":{"bytes":1,"sha256":"` + strings.Repeat("0", 64) + `"}}}`,
			`{"version":1,"pattern":"*.json","files":{"a.json":{"bytes":1,"sha256":"x"}}}`,
		},
		"recording.schema.json": {
			`{}`, `{"engine":"lynx","program":"a","round":1,"way":{"name":"clean","use":"clean","preset":0},"cpuNs":0,"elapsedNs":0,"output":""}`,
			`{"engine":"goja","program":"a","round":1,"way":{"name":"clean","use":"dirty","preset":0},"cpuNs":0,"elapsedNs":0,"output":""}`,
			`{"engine":"goja","program":"a","round":1,"way":{"name":"clean","use":"clean","preset":0},"cpuNs":-1,"elapsedNs":0,"output":""}`,
			`{"engine":"goja","program":"a","round":1,"way":{"name":"clean","use":"clean","preset":0},"cpuNs":1,"elapsedNs":0,"output":"","profile":{}}`,
		},
	} {
		s := schema(t, name)
		for _, text := range texts {
			if s.Validate(parse(t, strings.NewReader(text))) == nil {
				t.Errorf("%s allows %s", name, text)
			}
		}
	}
}
