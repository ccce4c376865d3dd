package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// buildWASM compiles the service, and adds Go's script that starts it, which must be from
// the same version of Go.
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
	for to, from := range map[string]string{"dist/wasm_exec.js": "lib/wasm/wasm_exec.js", "dist/wasm_exec.LICENSE": "LICENSE"} {
		text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), from))
		if err != nil {
			return err
		}
		if err := p.write(to, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
