package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// request is one test for a worker: a line of JSON, answered by a line a run.
type request struct {
	File     string       `json:"file"`
	Harness  string       `json:"harness"` // folder
	Module   bool         `json:"module"`
	Async    bool         `json:"async"`
	Includes []string     `json:"includes"`
	Runs     []runRequest `json:"runs"`
}

type runRequest struct {
	Code    string `json:"code"`
	Root    string `json:"root"` // where imports are found
	Runtime string `json:"runtime"`
}

// answer tells how one run ended.
type answer struct {
	Outcome string `json:"outcome"` // pass, or phase: Class: message
	Parsed  bool   `json:"parsed"`
	Taken   int    `json:"taken"` // checks that captured
}

// patience is how long one run may take on a loaded machine; the longest need
// some seconds.
const patience = 60 * time.Second

// recycleAfter bounds what realms leave behind in a worker.
const recycleAfter = 3000

// worker is a Node process that runs tests one after the other.
type worker struct {
	script  string
	cmd     *exec.Cmd
	stdin   io.WriteCloser
	answers chan []byte // closed when the process ends
	runs    int
}

// ask runs a test. A run that takes the process down, or never ends, is that
// run's outcome; the rest go to a new process.
func (w *worker) ask(r request) ([]answer, error) {
	var answers []answer
	runs := r.Runs
	for len(runs) > 0 {
		if err := w.start(); err != nil {
			return nil, err
		}
		r.Runs = runs
		line, err := json.Marshal(r)
		if err != nil {
			return nil, err
		}
		_, err = w.stdin.Write(append(line, '\n'))
		for range r.Runs {
			if err != nil {
				break
			}
			var a answer
			if a, err = w.next(); err == nil {
				answers, runs = append(answers, a), runs[1:]
				w.runs++
			}
		}
		if err != nil {
			w.stop()
			answers, runs = append(answers, answer{Outcome: err.Error(), Parsed: true}), runs[1:]
		}
	}
	if w.runs > recycleAfter {
		w.stop()
	}
	return answers, nil
}

func (w *worker) next() (answer, error) {
	var a answer
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case line, ok := <-w.answers:
		if !ok {
			return a, fmt.Errorf("crash: the process ended")
		}
		if err := json.Unmarshal(line, &a); err != nil {
			return a, fmt.Errorf("crash: the process said %q", line)
		}
		return a, nil
	case <-timer.C:
		return a, fmt.Errorf("timeout: no end within %v", patience)
	}
}

var nodeFlags = []string{"--experimental-vm-modules", "--expose-gc", "--no-warnings"}

func (w *worker) start() error {
	if w.cmd != nil {
		return nil
	}
	cmd := exec.Command("node", append(nodeFlags, w.script)...)
	var stderr bytes.Buffer // of the start; a crash's trace is of no use
	cmd.Stderr = &stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("node: %w", err)
	}
	answers := make(chan []byte, len(variants))
	go func() {
		defer close(answers)
		for lines := bufio.NewReader(stdout); ; {
			line, err := lines.ReadBytes('\n')
			if err != nil {
				return
			}
			answers <- line
		}
	}()
	w.cmd, w.stdin, w.answers, w.runs = cmd, stdin, answers, 0
	if _, ready := <-answers; !ready {
		w.stop()
		return fmt.Errorf("node %s:\n%s", w.script, &stderr)
	}
	return nil
}

// stop ends the process.
func (w *worker) stop() {
	if w.cmd == nil {
		return
	}
	_ = w.cmd.Process.Kill() // it may have ended by itself
	for range w.answers {
	}
	_ = w.cmd.Wait()
	w.cmd = nil
}

// result is a test with its outcomes, parallel to variants.
type result struct {
	test
	answers []answer
	unread  string // the warning of transform, where it left the test alone
	err     error
}

// runAll runs every test on a number of workers and hands the results on as
// they come.
func runAll(root, script string, roots []string, tests <-chan test, workers int) <-chan result {
	results := make(chan result, workers)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			w := &worker{script: script}
			defer w.stop()
			for t := range tests {
				results <- runTest(w, root, roots, t)
			}
		})
	}
	go func() { group.Wait(); close(results) }()
	return results
}

// runTest runs the variants of a test. Variants with the same text and runtime
// are run once.
func runTest(w *worker, root string, roots []string, t test) result {
	r := result{test: t, answers: make([]answer, len(variants))}
	ask := request{
		File: t.path, Harness: root + string(os.PathSeparator) + "harness",
		Module: t.module, Async: t.async, Includes: t.includes,
	}
	imports := strings.Contains(string(t.source), "import")
	place := make([]int, len(variants)) // of each variant in ask.Runs
	for i := range variants {
		v := &variants[i]
		code, warnings, err := v.instrument(t.source, t.path, t.module)
		if err != nil {
			r.err = err
			return r
		}
		if len(warnings) > 0 {
			r.unread = warnings[0].String()
		}
		run := runRequest{string(code), roots[i], v.runtime}
		place[i] = len(ask.Runs)
		for j := range i {
			same := ask.Runs[place[j]]
			if same.Code == run.Code && !imports && (same.Runtime == run.Runtime || run.Code == string(t.source)) {
				place[i] = place[j]
				break
			}
		}
		if place[i] == len(ask.Runs) {
			ask.Runs = append(ask.Runs, run)
		}
	}
	answers, err := w.ask(ask)
	if err != nil {
		r.err = err
		return r
	}
	for i := range r.answers {
		r.answers[i] = answers[place[i]]
	}
	return r
}
