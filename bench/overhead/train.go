package overhead

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/fieldprof/fieldprof/engine/node"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/training"
)

// trainingTime is how long a counting build works, in milliseconds of the wall clock.
const trainingTime = "2000"

// train runs a program's counting build in Node, as `instrument --train` makes it, on its input
// for training if it has one.
func train(ctx context.Context, program fixtures.Program, clean []byte, options transform.Options) (*training.Counts, error) {
	binary, err := exec.LookPath("node")
	if err != nil {
		return nil, node.ErrMissing
	}
	options.Train = true
	counting, err := transform.Transform(clean, options)
	if err != nil {
		return nil, fmt.Errorf("inserting the sites that count: %w", err)
	}
	folder, err := os.MkdirTemp("", "bench-training-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	in := func(name string) string { return filepath.Join(folder, name) }
	driver, err := drivers.ReadFile("driver/train.mjs")
	if err != nil {
		return nil, err
	}
	for name, content := range map[string][]byte{"train.mjs": driver, "counting.cjs": runtime.Counting, "build.cjs": counting.Code} {
		if err := os.WriteFile(in(name), content, 0o600); err != nil {
			return nil, err
		}
	}
	arguments := []string{in("train.mjs"), in("build.cjs"), program.Path, trainingTime}
	if program.Unlike {
		arguments = append(arguments, fixtures.TrainingInput)
	}
	cmd := exec.CommandContext(ctx, binary, arguments...)
	cmd.Env = append(os.Environ(), "NODE_ENV=production", "FIELDPROF_COUNTS="+in("counts.json"))
	if said, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("training: %w: %.400s", err, strings.TrimSpace(string(said)))
	}
	text, err := os.ReadFile(in("counts.json"))
	if err != nil {
		return nil, errors.New("training wrote no counts")
	}
	return training.Read("counts.json", text)
}

// Placed is what counts have chosen in a program.
type Placed struct {
	Unlike bool `json:"unlike,omitempty"` // trained on another input than it is measured with
	// Sites are left of those that the preset has.
	Sites      int `json:"sites"`
	Candidates int `json:"candidates"`
	// Promised is what they would have taken of the training, in percent; the rest is measured.
	Promised float64 `json:"promised"`
	Exceeds  bool    `json:"exceeds,omitempty"` // nothing fits
}

// placeByCounts trains a program, and inserts the checks that stay within so many percent.
func placeByCounts(ctx context.Context, program fixtures.Program, clean []byte, options transform.Options, percent float64) (*builds, error) {
	counts, err := train(ctx, program, clean, options)
	if err != nil {
		return nil, err
	}
	options.Counts, options.MaxOverhead = counts, percent
	options.Choice = options.Choose(options.Target)
	result, err := transform.Transform(clean, options)
	if err != nil {
		return nil, fmt.Errorf("inserting checks: %w", err)
	}
	s := result.Stats
	return &builds{clean, result.Code, &Placed{
		Unlike: program.Unlike, Sites: s.Entries + s.Loops + s.Exits, Candidates: s.Candidates,
		Promised: options.Choice.Overhead(), Exceeds: options.Choice.Exceeds,
	}}, nil
}
