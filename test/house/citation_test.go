package house

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/internal/release"
)

// citation is what CITATION.cff may have, of the Citation File Format 1.2.0.
type citation struct {
	Format     string   `yaml:"cff-version"`
	Message    string   `yaml:"message"`
	Type       string   `yaml:"type"`
	Title      string   `yaml:"title"`
	Abstract   string   `yaml:"abstract"`
	Version    string   `yaml:"version"`
	Released   string   `yaml:"date-released"`
	License    string   `yaml:"license"`
	Repository string   `yaml:"repository-code"`
	Keywords   []string `yaml:"keywords"`
	Authors    []struct {
		Name   string `yaml:"name"` // of an entity; persons have the other two
		Family string `yaml:"family-names"`
		Given  string `yaml:"given-names"`
		ORCID  string `yaml:"orcid"`
	} `yaml:"authors"`
}

// CITATION.cff is valid, and says what the release and the licence say.
func TestCitation(t *testing.T) {
	var c citation
	decoder := yaml.NewDecoder(bytes.NewReader(must.Get(os.ReadFile("../../CITATION.cff"))(t)))
	decoder.KnownFields(true)
	must.Do(t, decoder.Decode(&c))
	if c.Format != "1.2.0" || c.Message == "" || c.Title == "" || len(c.Authors) == 0 {
		t.Errorf("it lacks what the format requires: %+v", c)
	}
	for _, a := range c.Authors {
		if (a.Name == "") == (a.Family == "" || a.Given == "") {
			t.Errorf("an author is an entity with a name or a person with two: %+v", a)
		}
	}
	if c.Type != "software" && c.Type != "dataset" {
		t.Errorf("type %q", c.Type)
	}
	if c.Version != release.Version {
		t.Errorf("version %q, and the release is %q", c.Version, release.Version)
	}
	licence, _, _ := strings.Cut(string(must.Get(os.ReadFile("../../LICENSE"))(t)), "\n")
	if licence != c.License+" License" {
		t.Errorf("license %q, and LICENSE is the %q", c.License, licence)
	}
	if c.Released != "" && !regexp.MustCompile(`^\d{4}-\d\d-\d\d$`).MatchString(c.Released) {
		t.Errorf("date-released %q", c.Released)
	}
	if module := strings.TrimSuffix(module, "/"); c.Repository != "https://"+module {
		t.Errorf("repository-code %q, and the module is %s", c.Repository, module)
	}
}
