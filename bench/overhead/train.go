package overhead

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/fieldprof/fieldprof/engine/node"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/training"
)

// trainingTime is how long a counting build works, in milliseconds of the wall clock.
const trainingTime = "2000"

// train runs a program's counting build in Node, as `instrument --train` makes it, on its input
// for training if it has one.
func train(ctx context.Context, program fixtures.Program, clean []byte, options transform.Options) (*training.Counts, error) {
	options.Train = true
	counting, err := transform.Transform(clean, options)
	if err != nil {
		return nil, fmt.Errorf("inserting the sites that count: %w", err)
	}
	var input []string
	if program.Unlike {
		input = []string{fixtures.TrainingInput}
	}
	files := map[string][]byte{"counting.cjs": runtime.Counting, "build.cjs": counting.Code}
	text, err := drive(ctx, "train.mjs", files, program, input...)
	if err != nil {
		return nil, fmt.Errorf("training: %w", err)
	}
	return training.Read("counts.json", text)
}

// drive runs a driver with build.cjs in Node, for as long as training takes. It returns what the
// driver prints.
func drive(ctx context.Context, driver string, files map[string][]byte, program fixtures.Program, input ...string) ([]byte, error) {
	binary, err := exec.LookPath("node")
	if err != nil {
		return nil, node.ErrMissing
	}
	folder, err := os.MkdirTemp("", "bench-training-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	in := func(name string) string { return filepath.Join(folder, name) }
	for _, name := range []string{"load.mjs", driver} {
		if files[name], err = drivers.ReadFile("driver/" + name); err != nil {
			return nil, err
		}
	}
	for name, content := range files {
		if err := os.WriteFile(in(name), content, 0o600); err != nil {
			return nil, err
		}
	}
	cmd := exec.CommandContext(ctx, binary, append([]string{in(driver), in("build.cjs"), program.Path, trainingTime}, input...)...)
	cmd.Env = append(os.Environ(), "NODE_ENV=production", "FIELDPROF_COUNTS="+in("unused.json"))
	var said bytes.Buffer
	cmd.Stderr = &said
	printed, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%w: %.400s", err, strings.TrimSpace(said.String()))
	}
	return printed, nil
}

// resolution is the share of V8's samples of a build, with its flag down, in percent, that are in
// functions with checks: those that a profile tells apart.
func resolution(ctx context.Context, program fixtures.Program, result *transform.Result) (float64, error) {
	printed, err := drive(ctx, "shares.mjs", map[string][]byte{"build.cjs": result.Code}, program)
	if err != nil {
		return 0, fmt.Errorf("sampling: %w", err)
	}
	var places [][3]int32
	if err := json.Unmarshal(printed, &places); err != nil {
		return 0, fmt.Errorf("sampling: %w", err)
	}
	all, checked := 0., 0.
	for _, p := range places {
		f := result.Table.Functions[result.Table.Find(functable.Position{Line: p[0], Column: p[1]})]
		if all += float64(p[2]); f.Sites != 0 {
			checked += float64(p[2])
		}
	}
	if all == 0 {
		return 0, errors.New("sampling: V8 has no samples of the build")
	}
	return 100 * checked / all, nil
}

// Placed is what counts have chosen in a program.
type Placed struct {
	Unlike bool `json:"unlike,omitempty"` // trained on another input than it is measured with
	// Sites are left of those that the preset has.
	Sites      int `json:"sites"`
	Candidates int `json:"candidates"`
	// Promised is what they would have taken of the training, in percent; the rest is measured.
	Promised float64 `json:"promised"`
	// Resolution is the share of the time, in percent, in functions that are told apart.
	Resolution float64 `json:"resolution"`
	Exceeds    bool    `json:"exceeds,omitempty"` // nothing fits
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
	told, err := resolution(ctx, program, &result)
	if err != nil {
		return nil, err
	}
	s := result.Stats
	return &builds{clean, result.Code, &Placed{
		Unlike: program.Unlike, Sites: s.Entries + s.Loops + s.Exits, Candidates: s.Candidates,
		Promised: options.Choice.Overhead(), Resolution: told, Exceeds: options.Choice.Exceeds,
	}}, nil
}
