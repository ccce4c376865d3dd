package main

import (
	"errors"
	"strings"
	"testing"
)

// Each package is announced before it is made, so that a long build is not silent, and none
// after a failure.
func TestProgress(t *testing.T) {
	var said strings.Builder
	var atStart []string
	jobs := []job{
		{"a", func() error { atStart = append(atStart, said.String()); return nil }},
		{"b", func() error { atStart = append(atStart, said.String()); return errors.New("broken") }},
		{"c", func() error { t.Error("c was made after b failed"); return nil }},
	}
	if err := run(jobs, &said); err == nil || err.Error() != "b: broken" {
		t.Errorf("%v", err)
	}
	if want := []string{"[1/3] a\n", "[1/3] a\n[2/3] b\n"}; strings.Join(atStart, "|") != strings.Join(want, "|") {
		t.Errorf("%q, want %q", atStart, want)
	}
}

// A name that is wrong is not lost beside one that is right.
func TestUnknownPackage(t *testing.T) {
	t.Chdir("../..")
	b := build{out: t.TempDir(), only: []string{"fieldprof", "@fieldprof/esbuld"}}
	if err := b.run("none"); err == nil || err.Error() != "no package is called @fieldprof/esbuld" {
		t.Errorf("%v", err)
	}
}
