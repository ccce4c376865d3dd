// Package node runs the bench's scripts in Node.
package node

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/fieldprof/fieldprof/fixtures"
)

// Run runs a script of this folder and decodes the JSON that it prints. Without an
// environment it gets this process's.
func Run(ctx context.Context, result any, env []string, script string, args ...string) error {
	path := filepath.Join(filepath.Dir(fixtures.Dir()), "bench", "node", script)
	cmd := exec.CommandContext(ctx, "node", append([]string{"--expose-gc", path}, args...)...)
	cmd.Env, cmd.Stderr = env, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("node %s: %w", script, err)
	}
	return json.Unmarshal(out, result)
}
