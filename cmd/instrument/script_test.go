package main

import (
	"context"
	"os"
	"os/signal"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// The scripts in testdata/script run the command as people do.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script", Setup: func(env *testscript.Env) error {
		path := env.Getenv("PATH")
		env.Setenv("WHOLEPATH", path)
		for _, folder := range filepath.SplitList(path) { // for a script that empties PATH
			if program := filepath.Join(folder, "instrument"); exists(program) {
				env.Setenv("INSTRUMENT", program)
				break
			}
		}
		return nil
	}})
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
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
