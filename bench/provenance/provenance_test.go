package provenance

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/internal/must"
)

// program writes a script that a test asks for its version.
func program(t *testing.T, lines string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program")
	must.Do(t, os.WriteFile(path, []byte("#!/bin/sh\n"+lines+"\n"), 0o700))
	return path
}

func TestVersions(t *testing.T) {
	for lines, want := range map[string]string{
		"echo Mozilla Firefox 153.7.0esr": "153.7.0esr",
		"echo v20.20.2":                   "20.20.2",
		"echo 'Chromium 156.0.8078.79 built on Debian GNU/Linux 12.9'": "156.0.8078.79",
		"echo /home/user/secret":                "",
		"echo 1.2.3; exit 1":                    "",
		"yes x | head -c 100000; echo 1.2.3":    "", // past what is read
		"echo 1.2-" + strings.Repeat("x", 1000): "1.2-" + strings.Repeat("x", 19),
	} {
		if got := versionOf(program(t, lines)); got != want {
			t.Errorf("%s: %q, want %q", lines, got, want)
		}
	}
	if got := versionOf(filepath.Join(t.TempDir(), "none")); got != "" {
		t.Errorf("a program that is missing has version %q", got)
	}
}

// An origin has versions and a commit, and names neither the machine nor its folders.
func TestFill(t *testing.T) {
	figures.Ask = Fill
	defer func() { figures.Ask = nil }()
	o := figures.Here("bias")
	if o.Commit != "" && !commit.MatchString(o.Commit) {
		t.Errorf("commit %q", o.Commit)
	}
	text := string(must.Get(json.Marshal(o))(t))
	host := must.Get(os.Hostname())(t)
	working := must.Get(os.Getwd())(t)
	for what, secret := range map[string]string{"host": `"` + host + `"`, "working directory": working, "home": os.Getenv("HOME") + "/"} {
		if strings.Contains(text, secret) {
			t.Errorf("it names the %s: %s", what, text)
		}
	}
}
