package main

import (
	"os"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// The null device is not a terminal, on which the token of a collector would be shown to a person.
func TestNullIsNoTerminal(t *testing.T) {
	null := must.Get(os.OpenFile(os.DevNull, os.O_WRONLY, 0))(t)
	defer null.Close()
	if isTerminal(null) {
		t.Error("it is taken for one")
	}
}
