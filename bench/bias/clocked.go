package bias

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/fixtures/clocks"
	"github.com/fieldprof/fieldprof/transform"
)

// Clocked is the variant of a program that accounts for its functions' times itself,
// with clocks at every entry and exit.
const Clocked = "clocked"

// clockedPrograms have one task, and calls longer than a reading of the clock.
var clockedPrograms = []string{"sequence", "recursion", "callbacks"}

// clockedBlocks run programs with clocks, with and without checks that are idle.
func clockedBlocks(o Options, round int) []Block {
	var blocks []Block
	for _, program := range fixtures.Exact() {
		for i, name := range clockedPrograms {
			if name != program.Name || o.Quick && i > 0 {
				continue
			}
			for _, e := range engines[:2] {
				blocks = append(blocks, Block{Engine: e.name, Program: program, Round: round, Clocked: true,
					Ways: append(cleanWays(), idleWays([]transform.Preset{transform.Balanced})...)})
			}
		}
	}
	return blocks
}

// accounts reports whether the block's program accounts for its times in any way.
func (b *Block) accounts() bool {
	return b.Clocked || slices.ContainsFunc(b.Ways, func(w Way) bool { return w.Use == Traced })
}

// clocked writes the wrapped program into a folder. The functions of the prelude are short,
// so balanced leaves them without checks.
func clocked(ctx context.Context, program fixtures.Program, folder string) (fixtures.Program, error) {
	wrapped, err := clocks.Wrapped(ctx, program)
	if err != nil {
		return program, err
	}
	program.Path = filepath.Join(folder, filepath.Base(program.Path))
	if err := os.WriteFile(filepath.Join(folder, "clocks.js"), clocks.Prelude, 0o644); err != nil {
		return program, err
	}
	text := append([]byte("require('./clocks.js');\n"), wrapped...)
	return program, os.WriteFile(program.Path, append(text, "\n$report();\n"...), 0o644)
}

// lastLine keeps the last lines that a program prints.
type lastLine struct{ text []byte }

// mostKept bounds the text that is kept.
const mostKept = 1 << 16

func (l *lastLine) Write(text []byte) (int, error) {
	l.text = append(l.text, text...)
	if extra := len(l.text) - mostKept; extra > 0 {
		l.text = l.text[:copy(l.text, l.text[extra:])]
	}
	return len(text), nil
}

// read reads the account that is the last line.
func (l *lastLine) read() (map[string]float64, error) {
	text := bytes.TrimSpace(l.text)
	text = text[bytes.LastIndexByte(text, '\n')+1:]
	var account map[string]float64
	if err := json.Unmarshal(text, &account); err != nil {
		return nil, errors.New("it printed no account of its times")
	}
	return account, nil
}

// observe compares the accounts of the program with checks and without.
func (e *EngineReport) observe(g *group) {
	accounts := map[string]map[string]float64{}
	for _, r := range g.runs {
		if accounts[r.Way.Name] == nil {
			accounts[r.Way.Name] = map[string]float64{}
		}
		for name, ms := range r.Account {
			accounts[r.Way.Name][name] += ms
		}
	}
	clean, again, idle := Known(accounts["clean"]), Known(accounts["clean again"]), Known(accounts["balanced idle"])
	if len(clean.keys) > 0 && len(again.keys) > 0 && len(idle.keys) > 0 {
		e.Observers[g.program] = &Observer{Checks: (Overlap(clean, idle) + Overlap(again, idle)) / 2, Again: Overlap(clean, again)}
	}
}
