package wicg

import (
	"encoding/json"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
)

// trace is a ProfilerTrace in JSON.
type trace struct {
	Resources []string   `json:"resources"`
	Frames    []frame    `json:"frames"`
	Stacks    []stack    `json:"stacks"`
	Samples   []sample   `json:"samples"`
	Fieldprof *extension `json:"fieldprof,omitempty"`
}

// frame is a function: where it is defined, not where execution was.
type frame struct {
	Name       string   `json:"name"`
	ResourceID *float64 `json:"resourceId,omitempty"`
	Line       float64  `json:"line,omitempty"`
	Column     float64  `json:"column,omitempty"`
	Ignored    bool     `json:"ignored,omitempty"` // only in our traces
}

type stack struct {
	ParentID *float64 `json:"parentId,omitempty"`
	FrameID  *float64 `json:"frameId"`
}

// sample is one tick; weight, kind and skid are only in our traces.
type sample struct {
	Timestamp *float64 `json:"timestamp"` // milliseconds from the time origin
	StackID   *float64 `json:"stackId,omitempty"`
	Marker    string   `json:"marker,omitempty"`
	Weight    float64  `json:"weight,omitempty"`
	Kind      string   `json:"kind,omitempty"` // of the first tick of a sample; the others have none
	Skid      float64  `json:"skid,omitempty"` // milliseconds
}

// extension is the metadata of our traces: the first part in pages
// and here (runtime/src/trace/standard.ts), the rest only here. Times are in milliseconds.
type extension struct {
	Version  int      `json:"version"`
	Clock    string   `json:"clock"`
	Interval float64  `json:"interval"`
	Seed     uint64   `json:"seed"`
	Account  account  `json:"account"`
	Late     spread   `json:"late"`
	Skid     spread   `json:"skid"`
	Lost     []string `json:"lost"`
	// DebugIDs are by resource.
	DebugIDs map[string]string `json:"debugIds,omitempty"`

	Marks []codec.Mark `json:"marks,omitempty"`

	Meta  *profile.Meta `json:"meta,omitempty"`
	Flags []int         `json:"flags,omitempty"` // profile.Flags of each frame
}

const extensionVersion = 1

type account struct {
	Raised  int64 `json:"raised"`
	Missed  int64 `json:"missed"`
	Taken   int64 `json:"taken"`
	Idle    int64 `json:"idle"`
	Program int64 `json:"program"`
	Lost    int64 `json:"lost"`
}

type spread struct {
	Count  int64   `json:"count"`
	Median float64 `json:"median"`
	P95    float64 `json:"p95"`
	Max    float64 `json:"max"`
}

// proposal is the trace of the explainer of 2018, version 1.
type proposal struct {
	Version int             `json:"version"`
	Options proposalOptions `json:"options"`
	Profile struct {
		Strings     []string                 `json:"strings"`
		StackFrames map[string]proposalFrame `json:"stackFrames"` // by number; a frame and its callers
		MainThread  []proposalSample         `json:"main-thread"`
	} `json:"profile"`
}

type proposalOptions struct {
	SampleInterval float64 `json:"sampleInterval,omitempty"` // milliseconds
}

type proposalFrame struct {
	Name   *float64     `json:"name"` // a string: "render @ newsfeed.js:56:78"
	Parent *json.Number `json:"parent,omitempty"`
}

type proposalSample struct {
	Type      string       `json:"type"` // "stack"
	Timestamp *float64     `json:"timestamp"`
	Stack     *json.Number `json:"stack,omitempty"`
}
