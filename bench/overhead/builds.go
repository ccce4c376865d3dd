package overhead

import (
	"context"
	"errors"
	"fmt"

	"github.com/fieldprof/fieldprof/engine/browser"
	"github.com/fieldprof/fieldprof/engine/bundle"
	"github.com/fieldprof/fieldprof/engine/goja"
	"github.com/fieldprof/fieldprof/engine/node"
	"github.com/fieldprof/fieldprof/transform"
)

// builds are a program's two, ready to be loaded, and what counts have chosen for the second.
type builds struct {
	clean, checked []byte
	placed         *Placed
}

// engines that are known, and how they bundle. Only two tell processor times.
var engines = []struct {
	name   string
	bundle func(path string) (*bundle.Bundle, error)
}{
	{"node", node.Bundle},
	{"goja", goja.Bundle},
	{"chromium", func(path string) (*bundle.Bundle, error) { return browser.Bundle(browser.Chromium, path) }},
	{"firefox", func(path string) (*bundle.Bundle, error) { return browser.Bundle(browser.Firefox, path) }},
}

// KnownEngine reports whether there is an engine of this name.
func KnownEngine(name string) bool { return bundler(name) != nil }

func bundler(engine string) func(string) (*bundle.Bundle, error) {
	for _, e := range engines {
		if e.name == engine {
			return e.bundle
		}
	}
	return nil
}

// makeBuilds bundles a cell's program for its engine, and inserts the checks in the second
// build. Without checks both are the same. Goja inserts checks where it compiles.
func makeBuilds(ctx context.Context, c cell, checks bool) (*builds, error) {
	b, err := bundler(c.Engine)(c.Program.Path)
	if err != nil {
		return nil, err
	}
	if b.Module {
		return nil, errors.New("it awaits at its top level, so it cannot be called again")
	}
	clean, err := iterable(b.Code)
	if err != nil {
		return nil, err
	}
	if !checks || c.Engine == "goja" {
		return &builds{clean: clean, checked: clean}, nil
	}
	options := transform.Options{Selection: transform.Selection{Preset: c.Preset}, File: "checked.js", Target: transform.Web, Goal: transform.Script}
	if c.Engine == "node" {
		options.Goal = transform.FunctionBody
	}
	if c.Within > 0 {
		return placeByCounts(ctx, c.Program, clean, options, c.Within)
	}
	result, err := transform.Transform(clean, options)
	if err != nil {
		return nil, fmt.Errorf("inserting checks: %w", err)
	}
	return &builds{clean: clean, checked: result.Code}, nil
}
