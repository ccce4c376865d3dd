package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// buildWASM compiles the service and puts beside it Go's own way to start it,
// which has to be of the same version of Go.
func buildWASM(p *pack) error {
	if err := compile(p, "dist/fieldprof.wasm", "./npm/wasm", "js", "wasm"); err != nil {
		return err
	}
	if err := os.Chmod(filepath.Join(p.folder, "dist/fieldprof.wasm"), 0o644); err != nil {
		return err
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib/wasm/wasm_exec.js"))
	if err != nil {
		return err
	}
	return p.write("dist/wasm_exec.js", text, 0o644)
}
