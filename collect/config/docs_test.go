package config

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// page is docs/collect.md.
func page(t *testing.T) string { return string(must.Get(os.ReadFile("../../docs/collect.md"))(t)) }

// The file that docs/collect.md shows is right.
func TestDocsExample(t *testing.T) {
	_, rest, ok := strings.Cut(page(t), "<!-- settings -->")
	if !ok {
		t.Fatal("the page has no settings")
	}
	var text strings.Builder
	for line := range strings.Lines(rest) {
		if code, ok := strings.CutPrefix(line, "    "); ok {
			text.WriteString(code)
		} else if strings.TrimSpace(line) != "" {
			break
		}
	}
	folder := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(folder, "budgets.yaml"), []byte("budgets: [{name: parsing, sources: src/parser/**, max: 25%}]"), 0o600))
	must.Do(t, os.WriteFile(filepath.Join(folder, "upload-token"), []byte("fpt_0123456789abcdef\n"), 0o600))
	t.Setenv("SHOP_WEBHOOK", "https://hooks.example/1")
	t.Setenv("FIELDPROF_TOKEN", "fpt_fedcba9876543210")
	c := must.Get(Read([]byte(text.String()), folder))(t)
	if len(c.Apps) != 2 || len(c.Tokens) != 2 || c.Tokens[1].Text != "fpt_0123456789abcdef" {
		t.Errorf("%+v", c)
	}
	for _, a := range c.Apps { // Sentry's SDK takes no others in a DSN, and is off altogether
		for _, key := range a.Keys {
			if !regexp.MustCompile(`^\w+$`).MatchString(key) {
				t.Errorf("%q is no key for everybody", key)
			}
		}
	}
}

// The page describes every key.
func TestDocsHaveTheKeys(t *testing.T) {
	text := page(t)
	seen := map[reflect.Type]bool{}
	var visit func(reflect.Type)
	visit = func(of reflect.Type) {
		for of.Kind() == reflect.Slice {
			of = of.Elem()
		}
		if of.Kind() != reflect.Struct || seen[of] {
			return
		}
		seen[of] = true
		for i := range of.NumField() {
			if key := of.Field(i).Tag.Get("yaml"); !strings.Contains(text, "`"+key+"`") {
				t.Errorf("the page lacks `%s` of %v", key, of)
			}
			visit(of.Field(i).Type)
		}
	}
	visit(reflect.TypeFor[Config]())
}
