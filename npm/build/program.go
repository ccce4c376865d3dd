package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// platform is a platform with a program, in the terms of Node and of Go.
type platform struct {
	os, cpu      string // process.platform, process.arch
	goos, goarch string
}

var platforms = []platform{
	{"darwin", "arm64", "darwin", "arm64"},
	{"darwin", "x64", "darwin", "amd64"},
	{"linux", "arm64", "linux", "arm64"},
	{"linux", "x64", "linux", "amd64"},
	{"win32", "arm64", "windows", "arm64"},
	{"win32", "x64", "windows", "amd64"},
}

func (p platform) String() string { return p.os + "-" + p.cpu }

// fill fills in a text of the template for this platform.
func (p platform) fill(text string) string {
	return strings.NewReplacer("PLATFORM", p.String(), `"OS"`, `"`+p.os+`"`, `"CPU"`, `"`+p.cpu+`"`).Replace(text)
}

// choose reads -platforms.
func choose(list string) (chosen []platform, err error) {
	switch list {
	case "all":
		return platforms, nil
	case "none":
		return nil, nil
	case "host":
		for _, p := range platforms {
			if p.goos == runtime.GOOS && p.goarch == runtime.GOARCH {
				return []platform{p}, nil
			}
		}
		return nil, nil // no program for such a machine: WebAssembly it is
	}
	for _, name := range strings.Split(list, ",") {
		found := false
		for _, p := range platforms {
			if p.String() == name {
				chosen, found = append(chosen, p), true
			}
		}
		if !found {
			return nil, fmt.Errorf("-platforms: no platform %q: choose all, host, none or some of %v", name, platforms)
		}
	}
	return chosen, nil
}

// buildProgram builds the command line.
func buildProgram(p *pack, to platform) error {
	name := "bin/instrument"
	if to.os == "win32" {
		name += ".exe"
	}
	return compile(p, name, "./cmd/instrument", to.goos, to.goarch)
}

// compile builds a Go program reproducibly.
func compile(p *pack, name, from, goos, goarch string) error {
	file := filepath.Join(p.folder, filepath.FromSlash(name))
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w -buildid=", "-o", file, from)
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0", "GOFLAGS=", "GOAMD64=v1", "GOARM64=v8.0", "GOWASM=")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build %s for %s/%s: %w\n%s", from, goos, goarch, err, out)
	}
	return os.Chmod(file, 0o755)
}
