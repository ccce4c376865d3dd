package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// The scripts in testdata/script run the command as users do.
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
		"instrument": main,
		"held": func() {
			if err := printHeld(os.Args[1]); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		},
	})
}

// printHeld prints the gzipped content of a report, for scripts to examine.
func printHeld(page string) error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	_, rest, _ := bytes.Cut(text, []byte(`id="content"`))
	_, rest, _ = bytes.Cut(rest, []byte(">"))
	packed, _, _ := bytes.Cut(rest, []byte("<"))
	zip, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(packed)))
	if err != nil {
		return err
	}
	_, err = io.Copy(os.Stdout, zip)
	return err
}
