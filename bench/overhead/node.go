package overhead

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/fieldprof/fieldprof/engine/node"
	"github.com/fieldprof/fieldprof/runtime"
)

//go:embed driver
var drivers embed.FS

// The runtime's files that a driver needs.
var (
	nodeFiles = []string{"module.js", "trace.js"}
	pageFiles = []string{"runtime.js", "trace.js", "coordinator.js"}
)

// scatter is how long the random parts of an environment and of a path may be, in bytes:
// they move the stack and, with it, what falls onto a line of the cache.
const (
	scatterEnvironment = 4096
	scatterPath        = 120
)

// invokeNode runs one invocation in a process of Node.
func invokeNode(ctx context.Context, b *builds, order Order, rng *rand.Rand, counts bool) (*Result, error) {
	binary, err := exec.LookPath("node")
	if err != nil {
		return nil, node.ErrMissing
	}
	base, err := os.MkdirTemp("", "bench-overhead-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(base)
	folder := filepath.Join(base, "p"+strings.Repeat("x", rng.IntN(scatterPath)))
	if err := os.Mkdir(folder, 0o700); err != nil {
		return nil, err
	}
	in := func(name string) string { return filepath.Join(folder, name) }
	order.Builds, order.Result = [2]string{in("clean.cjs"), in("checked.cjs")}, in("result.json")
	files := map[string][]byte{"clean.cjs": b.clean, "checked.cjs": b.checked, "package.json": []byte(`{"type":"module"}`)}
	for _, name := range []string{"turns.mjs", "load.mjs", "node.mjs"} {
		if files[name], err = drivers.ReadFile("driver/" + name); err != nil {
			return nil, err
		}
	}
	for _, name := range nodeFiles {
		if files[name], err = fs.ReadFile(runtime.Files(), name); err != nil {
			return nil, err
		}
	}
	cmd := exec.CommandContext(ctx, binary, fmt.Sprintf("--random-seed=%d", 1+rng.IntN(1<<30)), fmt.Sprintf("--hash-seed=%d", 1+rng.IntN(1<<30)), in("node.mjs"), in("order.json"))
	if err := runChild(cmd, &order, rng, counts, func() error {
		if files["order.json"], err = json.Marshal(order); err != nil {
			return err
		}
		for name, content := range files {
			if err := os.WriteFile(in(name), content, 0o600); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(order.Result)
	if err != nil {
		return nil, fmt.Errorf("it wrote no result: %w", err)
	}
	return readResult(text, &order)
}

// runChild runs a child with a scattered environment and, if wanted and granted, a
// counter. Ready is called when the order is complete.
func runChild(cmd *exec.Cmd, order *Order, rng *rand.Rand, counts bool, ready func() error) error {
	cmd.Env = append(os.Environ(), "NODE_ENV=production", "SCATTER="+strings.Repeat("x", rng.IntN(scatterEnvironment)))
	var said bytes.Buffer
	cmd.Stderr = &said
	if counts {
		counter, err := openCounter()
		if err != nil {
			return err
		}
		defer closeCounter(counter)
		cmd.ExtraFiles, order.Counter = append(cmd.ExtraFiles, counter), 3+len(cmd.ExtraFiles)
	}
	if err := ready(); err != nil {
		return err
	}
	if err := cmd.Run(); err != nil {
		first, _, _ := strings.Cut(strings.TrimSpace(said.String()), "\n    at ")
		return errors.New(strings.TrimSpace(fmt.Sprintf("%v: %.400s", err, first)))
	}
	return nil
}
