package protocol

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/engine/failure"
	"github.com/fieldprof/fieldprof/transform/instrumented"
)

// Report is what the runtime says after a program has ended (runtime/src/run).
// Durations are in milliseconds.
type Report struct {
	ExitCode int `json:"exitCode"`
	// Failure is the error that the program did not catch, nil if there was none.
	Failure *struct {
		What  string `json:"what"`
		Stack string `json:"stack"`
	} `json:"failure"`
	Stopped   bool       `json:"stopped"`
	Elapsed   float64    `json:"elapsed"`
	CPU       float64    `json:"cpu"`
	Recording *Recording `json:"recording"`
	Unsent    string     `json:"unsent"` // why there is no recording
}

// ReadReport reads a report.
func ReadReport(text []byte) (*Report, error) {
	var report Report
	if err := json.Unmarshal(text, &report); err != nil {
		return nil, fmt.Errorf("the report of the program cannot be read: %w", err)
	}
	if report.Unsent != "" {
		return nil, fmt.Errorf("the program's recording could not be sent (%s): its profile is lost", report.Unsent)
	}
	if report.Recording != nil {
		if err := report.Recording.check(); err != nil {
			return nil, fmt.Errorf("the recording of the program cannot be read: %w", err)
		}
	}
	return &report, nil
}

// Fill copies everything but the recording into a result.
func (r *Report) Fill(result *engine.Result, script *instrumented.Script) {
	result.ExitCode, result.Stopped = r.ExitCode, r.Stopped
	result.Elapsed, result.CPU = time.Duration(nanos(r.Elapsed)), time.Duration(nanos(r.CPU))
	if r.Failure != nil {
		result.Failure = failure.Explain(script, r.Failure.What, r.Failure.Stack)
	}
	if r.Recording != nil {
		result.Warnings = append(result.Warnings, r.Recording.Lost...)
	}
}
