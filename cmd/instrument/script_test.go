package main

import (
	"context"
	"os"
	"os/signal"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// The scripts in testdata/script run the command as people do.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script"})
}

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"instrument": func() {
			ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
			defer cancel()
			os.Exit(execute(ctx, os.Args[1:], os.Stdout, os.Stderr))
		},
	})
}
