// Build makes the npm packages: ../README.md describes what it writes and the layout of the
// folders that it reads. `make npm` runs it.
//
//	go run ./npm/build [-out DIR] [-platforms all|host|none|LIST] [PACKAGE…]
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// folders in npm/ hold a package each. Missing ones are skipped.
var folders = []string{"runtime", "fieldprof", "wasm", "esbuild", "unplugin"}

func main() {
	var b build
	flag.StringVar(&b.out, "out", "npm/dist", "`directory` for the packages")
	chosen := flag.String("platforms", "all", "programs to build: all, host, none or a `list` such as linux-x64,darwin-arm64")
	flag.Parse()
	b.only = flag.Args()
	if err := b.run(*chosen); err != nil {
		fmt.Fprintln(os.Stderr, "building npm packages:", err)
		os.Exit(1)
	}
}

// build is one run.
type build struct {
	out  string
	only []string // packages; none: all
	made []*pack
}

func (b *build) run(chosen string) error {
	if _, err := os.Stat("npm/build/main.go"); err != nil {
		return errors.New("run it from the top of the repository")
	}
	platforms, err := choose(chosen)
	if err != nil {
		return err
	}
	if b.out, err = filepath.Abs(b.out); err != nil {
		return err
	}
	jobs, err := b.jobs(platforms)
	if err != nil {
		return err
	}
	for _, name := range b.only {
		if !slices.ContainsFunc(jobs, func(j job) bool { return j.name == name }) {
			return fmt.Errorf("no package is called %s", name)
		}
	}
	if err := run(jobs, os.Stderr); err != nil {
		return err
	}
	return b.pack()
}

// job makes one package.
type job struct {
	name string
	make func() error
}

// jobs are the packages that are wanted, in order.
func (b *build) jobs(platforms []platform) (jobs []job, err error) {
	add := func(name string, make func() error) {
		if b.wants(name) {
			jobs = append(jobs, job{name, make})
		}
	}
	for _, folder := range folders {
		source := filepath.Join("npm", folder)
		if _, err := os.Stat(filepath.Join(source, "package.json")); err != nil {
			continue
		}
		p, err := b.open(source, nil)
		if err != nil {
			return nil, err
		}
		add(p.name, func() error { return b.make(p, folder) })
	}
	for _, platform := range platforms {
		add("@fieldprof/"+platform.String(), func() error { return b.makePlatform(platform) })
	}
	return jobs, nil
}

// run makes the packages one by one, and announces each: a program for another platform
// takes minutes the first time.
func run(jobs []job, progress io.Writer) error {
	for i, j := range jobs {
		fmt.Fprintf(progress, "[%d/%d] %s\n", i+1, len(jobs), j.name)
		if err := j.make(); err != nil {
			return fmt.Errorf("%s: %w", j.name, err)
		}
	}
	return nil
}

func (b *build) wants(name string) bool { return len(b.only) == 0 || slices.Contains(b.only, name) }

// make builds the package of a folder.
func (b *build) make(p *pack, folder string) error {
	var err error
	switch folder {
	case "runtime":
		err = buildRuntime(p)
	case "wasm":
		if err = buildScripts(p); err == nil {
			err = buildWASM(p)
		}
	default:
		err = buildScripts(p)
	}
	if err != nil {
		return err
	}
	return b.finish(p)
}

func (b *build) makePlatform(platform platform) error {
	p, err := b.open("npm/platform", platform.fill)
	if err != nil {
		return err
	}
	if err := buildProgram(p, platform); err != nil {
		return err
	}
	return b.finish(p)
}
