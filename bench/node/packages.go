package node

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"

	"github.com/fieldprof/fieldprof/fixtures"
)

// Packages builds npm packages of this repository, as they are published, into node_modules of
// a folder: those with these names, or all. Command npm/build explains platforms.
func Packages(ctx context.Context, folder, platforms string, names ...string) error {
	repository := filepath.Dir(fixtures.Dir())
	if err := fixtures.InstallIn(filepath.Join(repository, "test/lint")); err != nil { // TypeScript's compiler
		return err
	}
	cmd := exec.CommandContext(ctx, "go", append([]string{"run", "./npm/build", "-platforms", platforms, "-out", folder}, names...)...)
	cmd.Dir = repository
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building npm packages: %w\n%s", err, out)
	}
	return nil
}
