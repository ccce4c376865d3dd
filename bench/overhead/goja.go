package overhead

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/fieldprof/fieldprof/transform"
)

// childVariable names the order of a process that is the bench's child.
const childVariable = "FIELDPROF_BENCH_ORDER"

// Child runs an invocation in goja, if that is what this process was started for, and
// ends the process. A command that measures calls it first of all.
func Child() {
	path := os.Getenv(childVariable)
	if path == "" {
		return
	}
	if err := child(path); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func child(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var order Order
	if err := json.Unmarshal(text, &order); err != nil {
		return err
	}
	result, err := runGoja(&order)
	if err != nil {
		return err
	}
	if text, err = json.Marshal(result); err != nil {
		return err
	}
	return os.WriteFile(order.Result, text, 0o600)
}

// invokeGoja runs one invocation in a child of this process.
func invokeGoja(ctx context.Context, b *builds, preset string, order Order, rng *rand.Rand, counts bool) (*Result, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "bench-overhead-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	in := func(name string) string { return filepath.Join(folder, name) }
	order.Builds, order.Result, order.Preset = [2]string{in("clean.js"), in("checked.js")}, in("result.json"), preset
	path := filepath.Join(folder, "order"+strings.Repeat("x", rng.IntN(scatterPath)))
	cmd := exec.CommandContext(ctx, self)
	err = runChild(cmd, &order, rng, counts, func() error {
		cmd.Env = append(cmd.Env, childVariable+"="+path)
		text, err := json.Marshal(order)
		if err != nil {
			return err
		}
		for file, content := range map[string][]byte{path: text, in("clean.js"): b.clean, in("checked.js"): b.checked} {
			if err := os.WriteFile(file, content, 0o600); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(order.Result)
	if err != nil {
		return nil, fmt.Errorf("it wrote no result: %w", err)
	}
	return readResult(bytes.TrimSpace(text), &order)
}

// presetName is a preset as an order has it: none where both builds are clean.
func presetName(preset transform.Preset, checks bool) string {
	if !checks {
		return ""
	}
	return preset.String()
}
