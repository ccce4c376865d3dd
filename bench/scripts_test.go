package main

import (
	"context"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// The scripts in testdata/script run the command as people do.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script"})
}

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"bench": func() { os.Exit(execute(context.Background(), os.Args[1:], os.Stdout, os.Stderr)) },
	})
}
