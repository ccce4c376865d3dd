package truth

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/engine/browser"
	"github.com/fieldprof/fieldprof/fixtures"
	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/profile"
)

// firefoxInterval is the Firefox profiler's gap unless Settings has one.
const firefoxInterval = time.Millisecond

func firefoxAvailable() error {
	_, err := browser.Find(browser.Firefox)
	return err
}

//go:embed js/firefox.js
var firefoxBeside []byte

// sampleFirefox runs a program in a page of Firefox whose profiler runs from its
// start to its end.
func sampleFirefox(ctx context.Context, program fixtures.Program, s Settings) (*Run, error) {
	folder, err := os.MkdirTemp("", "truth-firefox-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	interval, file := s.interval(firefoxInterval), filepath.Join(folder, "profile.json")
	beside := browser.Beside{
		Script: firefoxBeside, Closes: true, Preferences: []string{`"dom.allow_scripts_to_close_windows", true`},
		Environment: []string{
			"MOZ_PROFILER_STARTUP=1", "MOZ_PROFILER_STARTUP_FEATURES=js,nomarkerstacks", "MOZ_PROFILER_STARTUP_FILTERS=GeckoMain",
			"MOZ_PROFILER_STARTUP_ENTRIES=16000000", "MOZ_PROFILER_STARTUP_INTERVAL=" + strconv.FormatFloat(float64(interval)/float64(time.Millisecond), 'f', -1, 64),
			"MOZ_PROFILER_SHUTDOWN=" + file,
		},
	}
	run, r, _, err := inBrowser(ctx, browser.Firefox, program, &s, beside)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("firefox wrote no profile: %w", err)
	}
	if err := readGecko(text, r); err != nil {
		return nil, fmt.Errorf("firefox's profile: %w", err)
	}
	run.Profile, err = r.profile(profile.Meta{Interval: interval, Engine: "firefox", Program: program.Path, Clock: "Firefox's profiler"})
	return run, err
}

// inBrowser runs a program without checks along with a script of ours, and returns
// what that script reported.
func inBrowser(ctx context.Context, name browser.Name, program fixtures.Program, s *Settings, beside browser.Beside) (*Run, *recording, []byte, error) {
	script, err := describePage(name, program.Path)
	if err != nil {
		return nil, nil, nil, err
	}
	var output bytes.Buffer
	result, said, err := browser.RunBeside(name, beside)(ctx, engine.Program{Path: program.Path, Args: s.arguments(program.V8), Stdout: &output, Stderr: &output}, engine.Settings{Mode: engine.Clean})
	if err := failed(ctx, result, err); err != nil {
		return nil, nil, nil, err
	}
	return &Run{CPU: result.CPU, Output: output.Bytes()}, newRecording(script), said, nil
}

// geckoProfile is the part of Gecko's profiles that is needed here. A table is a
// list of rows; the schema names its columns.
type geckoProfile struct {
	Meta struct {
		Categories []struct {
			Name string `json:"name"`
		} `json:"categories"`
	} `json:"meta"`
	Threads   []geckoThread  `json:"threads"`
	Processes []geckoProfile `json:"processes"`
}

type geckoThread struct {
	Samples     geckoTable `json:"samples"`
	StackTable  geckoTable `json:"stackTable"`
	FrameTable  geckoTable `json:"frameTable"`
	StringTable []string   `json:"stringTable"`
}

type geckoTable struct {
	Schema map[string]int      `json:"schema"`
	Data   [][]json.RawMessage `json:"data"`
}

// number is a cell of a table; false if it is missing.
func (t *geckoTable) number(row int, column string) (float64, bool) {
	c, ok := t.Schema[column]
	if !ok || row < 0 || row >= len(t.Data) || c < 0 || c >= len(t.Data[row]) {
		return 0, false
	}
	var v *float64
	if json.Unmarshal(t.Data[row][c], &v) != nil || v == nil {
		return 0, false
	}
	return *v, true
}

// index is a cell that refers to a table of n rows; −1 if it is missing.
func (t *geckoTable) index(row int, column string, n int) (int, error) {
	v, ok := t.number(row, column)
	switch {
	case !ok:
		return -1, nil
	case v < 0 || int(v) >= n:
		return -1, fmt.Errorf("row %d: %s %v of %d", row, column, v, n)
	}
	return int(v), nil
}

// maxProcesses bounds how deep processes may be nested.
const maxProcesses = 8

// readGecko adds the samples of the thread that ran the script.
func readGecko(text []byte, r *recording) error {
	var f geckoProfile
	if err := json.Unmarshal(text, &f); err != nil {
		return err
	}
	found, err := f.read(r, maxProcesses)
	if err == nil && !found {
		err = errors.New("it has no thread that ran the program")
	}
	return err
}

func (f *geckoProfile) read(r *recording, depth int) (bool, error) {
	for i := range f.Threads {
		if found, err := f.Threads[i].read(r, f.kind); found || err != nil {
			return found, err
		}
	}
	for i := 0; i < len(f.Processes) && depth > 0; i++ {
		if found, err := f.Processes[i].read(r, depth-1); found || err != nil {
			return found, err
		}
	}
	return false, nil
}

// kind is the kind of a sample outside of the script, by its category.
func (f *geckoProfile) kind(category int) (profile.Kind, bool) {
	if category < 0 || category >= len(f.Meta.Categories) {
		return profile.Program, false
	}
	switch f.Meta.Categories[category].Name {
	case "Idle":
		return profile.Idle, true
	case "GC / CC":
		return profile.GC, true
	}
	return profile.Program, false
}

// read adds a thread's samples if one of them is in the script. The collector's
// time is charged to no function, whichever was running.
func (t *geckoThread) read(r *recording, kindOf func(category int) (profile.Kind, bool)) (bool, error) {
	stacks := make([]profile.StackID, len(t.StackTable.Data))
	kinds := make([]profile.Kind, len(stacks))
	hosts := make([]bool, len(stacks)) // time of the script that prints for the program
	found := false
	for i := range stacks {
		prefix, err := t.StackTable.index(i, "prefix", i) // callers come first
		if err != nil {
			return false, fmt.Errorf("stackTable: %w", err)
		}
		frame, err := t.StackTable.index(i, "frame", len(t.FrameTable.Data))
		if err != nil {
			return false, fmt.Errorf("stackTable: %w", err)
		}
		if stacks[i], kinds[i] = profile.NoStack, profile.Program; prefix >= 0 {
			stacks[i], kinds[i], hosts[i] = stacks[prefix], kinds[prefix], hosts[prefix]
		}
		if definition, at, ok := t.place(frame); ok {
			stacks[i], found = r.push(stacks[i], definition, at), true
			kinds[i], hosts[i] = profile.Own, false
		} else if t.isHost(frame) {
			kinds[i], hosts[i] = profile.Program, true
		} else if category, ok := t.FrameTable.number(frame, "category"); ok {
			if kind, special := kindOf(int(category)); special {
				kinds[i] = kind
			}
		}
	}
	if !found {
		return false, nil
	}
	for i := range t.Samples.Data {
		index, err := t.Samples.index(i, "stack", len(stacks))
		if err != nil {
			return false, fmt.Errorf("samples: %w", err)
		}
		stack, kind := profile.NoStack, profile.Program
		if index >= 0 {
			stack, kind = stacks[index], kinds[index]
		}
		if kind == profile.GC || kind == profile.Idle || index >= 0 && hosts[index] {
			stack = profile.NoStack
		}
		time, _ := t.Samples.number(i, "time")
		r.add(milliseconds(time), stack, 1, kind)
	}
	return true, nil
}

// location is a function of a script: "name (http://127.0.0.1:8080/secret/bundle.js:1:15)[6]",
// with where it is defined.
var location = regexp.MustCompile(`\(http://127\.0\.0\.1:\d+/\w+/bundle\.js:(\d+):(\d+)\)(?:\[\d+\])?$`)

// pageScript prints for the program in a page, and blocks it meanwhile.
const pageScript = "/page.js"

// isHost reports whether a frame is in that script.
func (t *geckoThread) isHost(frame int) bool {
	text, err := t.FrameTable.index(frame, "location", len(t.StringTable))
	return err == nil && text >= 0 && strings.Contains(t.StringTable[text], pageScript+":")
}

// place is where a frame's function is defined and where the frame is, if it is in
// the script.
func (t *geckoThread) place(frame int) (definition, at functable.Position, ok bool) {
	text, err := t.FrameTable.index(frame, "location", len(t.StringTable))
	if err != nil || text < 0 {
		return definition, at, false
	}
	m := location.FindStringSubmatch(t.StringTable[text])
	if m == nil {
		return definition, at, false
	}
	line, _ := strconv.ParseInt(m[1], 10, 32)
	column, _ := strconv.ParseInt(m[2], 10, 32)
	atLine, _ := t.FrameTable.number(frame, "line")
	atColumn, _ := t.FrameTable.number(frame, "column")
	return functable.Position{Line: int32(line), Column: int32(column)}, functable.Position{Line: int32(atLine), Column: int32(atColumn)}, true
}

func milliseconds(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }
