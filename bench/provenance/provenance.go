// Package provenance asks the programs on this machine which versions they are, and git
// which commit is measured. A program that is missing, fails, takes longer than ten
// seconds or says nothing like a version is absent from the answer.
package provenance

import (
	"bytes"
	"context"
	"maps"
	"os/exec"
	"regexp"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/bench/node"
	"github.com/fieldprof/fieldprof/engine/browser"
)

// Fill fills in an origin. The first call asks; the others repeat its answers, so that
// results that a run writes do not make its own tree dirty.
func Fill(o *figures.Origin) {
	a := answers()
	o.Machine.Tools, o.Commit, o.Dirty = maps.Clone(a.tools), a.commit, a.dirty
}

type answer struct {
	tools  map[string]string
	commit string
	dirty  bool
}

var answers = sync.OnceValue(func() answer {
	a := answer{tools: modules()}
	for name, find := range programs {
		path, err := find()
		if err != nil {
			continue
		}
		if v := versionOf(path); v != "" {
			a.tools[name] = v
		}
	}
	a.commit, a.dirty = tree()
	return a
})

// programs are those whose versions matter, and how they are found.
var programs = map[string]func() (string, error){
	"node":         onPath("node"),
	"node-current": node.Installed,
	"jsc":          onPath("jsc"),
	"chromium":     inBrowser(browser.Chromium),
	"firefox":      inBrowser(browser.Firefox),
	"webkit":       inBrowser(browser.WebKit),
}

func onPath(name string) func() (string, error) {
	return func() (string, error) { return exec.LookPath(name) }
}

func inBrowser(name browser.Name) func() (string, error) {
	return func() (string, error) { return browser.Find(name) }
}

var version = regexp.MustCompile(`\d+(\.\d+)+[0-9A-Za-z~+-]{0,20}`)

// versionOf asks a program, or Debian about the program's package: jsc has no option
// that tells.
func versionOf(path string) string {
	if v := version.FindString(say(path, "--version")); v != "" {
		return v
	}
	owner, _, ok := strings.Cut(say("dpkg-query", "--search", path), ": ")
	if !ok {
		return ""
	}
	return version.FindString(say("dpkg-query", "--show", "--showformat=${Version}", owner))
}

// modules are the versions of the libraries that decide what is measured.
func modules() map[string]string {
	found := map[string]string{}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return found
	}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		switch m.Path {
		case "github.com/dop251/goja":
			found["goja"] = m.Version
		case "github.com/evanw/esbuild":
			found["esbuild"] = m.Version
		}
	}
	return found
}

var commit = regexp.MustCompile(`^[0-9a-f]{40,64}$`)

// tree is the commit that is checked out, and whether the tree has other changes than
// results and the pages made from them.
func tree() (head string, dirty bool) {
	head = strings.TrimSpace(say("git", "rev-parse", "HEAD"))
	if !commit.MatchString(head) {
		return "", false
	}
	return head, say("git", "status", "--porcelain", "--untracked-files=no", "--", ":/", ":(top,exclude)bench/results", ":(top,exclude)docs") != ""
}

// patience with a program, and what is kept of its output.
const (
	patience = 10 * time.Second
	enough   = 4 << 10
)

// say is what a program prints; nothing if it fails.
func say(path string, args ...string) string {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var printed head
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Stdout, cmd.WaitDelay = &printed, time.Second
	if err := cmd.Run(); err != nil {
		return ""
	}
	return printed.kept.String()
}

// head keeps the start of what is written to it.
type head struct{ kept bytes.Buffer }

func (h *head) Write(p []byte) (int, error) {
	h.kept.Write(p[:min(len(p), enough-h.kept.Len())])
	return len(p), nil
}
