package main

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/fieldprof/fieldprof/collect/config"
	"github.com/fieldprof/fieldprof/internal/must"
)

// entrypoint is the command line of the container file, and its ports.
func entrypoint(t *testing.T) (args []string, ports []string) {
	t.Helper()
	text := string(must.Get(os.ReadFile("container/Dockerfile"))(t))
	known := []string{"FROM", "WORKDIR", "COPY", "RUN", "USER", "VOLUME", "EXPOSE", "ENTRYPOINT"}
	for line := range strings.Lines(text) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case word == "" || word == "#" || strings.HasPrefix(word, "#"):
		case !slices.Contains(known, word):
			t.Errorf("no instruction %q", word)
		case word == "EXPOSE":
			ports = strings.Fields(rest)
		case word == "ENTRYPOINT":
			must.Do(t, json.Unmarshal([]byte(rest), &args))
		case word == "FROM":
			if image := strings.Fields(rest)[0]; strings.Contains(image, "golang") && !strings.Contains(string(must.Get(os.ReadFile("../../go.mod"))(t)), "go "+strings.TrimPrefix(image, "golang:")) {
				t.Errorf("%s is not the version in go.mod", image)
			}
		}
	}
	return args, ports
}

// accepts parses a command line of collect, and returns what it sets.
func accepts(t *testing.T, args []string) *config.Config {
	t.Helper()
	cmd, rest, err := newRoot(io.Discard, io.Discard).Find(args)
	if err != nil || cmd.CommandPath() != "instrument collect" {
		t.Fatalf("%q: %v, %v", args, cmd.CommandPath(), err)
	}
	must.Do(t, cmd.ParseFlags(rest))
	if left := cmd.Flags().Args(); len(left) > 0 {
		t.Errorf("%q: no place for %q", args, left)
	}
	text := func(name string) string { return must.Get(cmd.Flags().GetString(name))(t) }
	c := &config.Config{Listen: text("listen"), Data: text("data"), Store: text("store"), Metrics: text("metrics")}
	must.Do(t, c.Check())
	c.SetDefaults()
	return c
}

// The container runs collect with flags that exist, and exposes where it listens.
func TestContainer(t *testing.T) {
	args, ports := entrypoint(t)
	c := accepts(t, args[1:])
	if want := []string{strings.TrimPrefix(c.Listen, ":"), strings.TrimPrefix(c.Metrics, ":")}; !slices.Equal(ports, want) {
		t.Errorf("it exposes %v, and listens at %v", ports, want)
	}
	if c.Data != "/data" {
		t.Errorf("the volume is not the data: %s", c.Data)
	}
}

// The compose file starts it with a store that the collector knows.
func TestCompose(t *testing.T) {
	var file struct {
		Services map[string]struct {
			Image       string
			Build       struct{ Context, Dockerfile string }
			Command     []string
			Volumes     []string
			Environment map[string]string
		}
		Volumes map[string]any
	}
	must.Do(t, yaml.Unmarshal(must.Get(os.ReadFile("container/compose.yaml"))(t), &file))
	collector, database := file.Services["collector"], file.Services["clickhouse"]
	if _, err := os.Stat(filepath.Join("container", collector.Build.Context, collector.Build.Dockerfile)); err != nil {
		t.Error(err)
	}
	args, _ := entrypoint(t)
	c := accepts(t, append(args[1:], collector.Command...))
	e := database.Environment
	if want := "clickhouse://" + e["CLICKHOUSE_USER"] + ":" + e["CLICKHOUSE_PASSWORD"] + "@clickhouse:9000/" + e["CLICKHOUSE_DB"]; c.Store != want {
		t.Errorf("the store is %s, and the database %s", c.Store, want)
	}
	if !regexp.MustCompile(`^[a-z]+/[a-z-]+:[0-9.]+$`).MatchString(database.Image) {
		t.Errorf("the image is %s", database.Image)
	}
	for name, service := range file.Services {
		for _, volume := range service.Volumes {
			named, _, _ := strings.Cut(volume, ":")
			if _, declared := file.Volumes[named]; !declared {
				t.Errorf("%s has a volume %s that is not declared", name, volume)
			}
		}
	}
}
