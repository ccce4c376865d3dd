package profile

import (
	"slices"
	"time"
)

// The columns refer to each other by index. A negative index means none.
type (
	StringID   int32 // into Profile.Strings; 0 is always ""
	FunctionID int32 // into Profile.Functions
	FrameID    int32 // into Profile.Frames
	StackID    int32 // into Profile.Stacks; NoStack for none
)

// NoStack marks the root's parent, and a sample without a stack.
const NoStack StackID = -1

// Kind is the kind of site at which a sample was taken, which decides (see
// Attribute) whose time it is.
type Kind uint8

// The kinds of sample. The zero Kind is a sample that needs no attribution:
// its top frame is its owner, as in every profile read from a foreign format.
const (
	Own     Kind = iota // top frame, as decided by the capturing side
	Entry               // function prologue
	Loop                // back-edge of a loop
	Exit                // return, fall-through, finally
	Native              // leaving a registered native function: its pseudo-frame is on top
	Idle                // nothing ran; no stack but (idle)
	GC                  // the collector had stopped the world; (garbage collector)
	Program             // code outside every function; (program)
	Lost                // a tick that could not be delivered; (lost)
)

// Names of the pseudo-functions, spelled as the field's viewers spell them.
const (
	NameRoot    = "(root)"
	NameProgram = "(program)"
	NameIdle    = "(idle)"
	NameGC      = "(garbage collector)"
	NameNative  = "(native)"
	NameHost    = "(host)"
	NameLost    = "(lost)"
)

// Flags are what attribution and views need to know of a function.
type Flags uint8

const (
	// Checked: the function carries checks (or is a script's top level), so
	// self time can belong to it.
	Checked Flags = 1 << iota
	// FilledFirst: the engine works before the entry check can run; a sample
	// taken at entry is the function's own.
	FilledFirst
	// Pseudo: not a function of the program, but one of the names above.
	Pseudo
	// NativeCode: a function of the host, written in another language.
	NativeCode
	// TopLevel: the code of a script or module outside its functions.
	TopLevel
	// HoldsOthers: it calls, or contains as arguments, functions without checks, and
	// its time includes theirs.
	HoldsOthers
	// Ignored: not the user's own code, as a source map says, or its file is in node_modules.
	Ignored
)

// Profile is one recording: columns that refer to each other by index.
// Build one with a Builder; CheckValid says whether one is consistent.
type Profile struct {
	Meta      Meta
	Strings   []string
	Functions Functions
	Frames    Frames
	Stacks    Stacks
	Samples   Samples
	Marks     []Mark  // in order of time
	Tags      [][]Tag // sets; set 0 is empty

	// tick is set in a part of a profile: the time of a tick in the whole, so that the times of
	// parts add up to those of the whole.
	tick TickTime
	// since is where a profile without a Start begins, on a clock that others may have in common: that of a page, or
	// of the whole that it is a part of.
	since time.Duration
}

// Functions is the table of functions: name, file and where each is defined
// (1-based line and UTF-16 column, 0 when unknown).
type Functions struct {
	Name   []StringID
	File   []StringID
	Line   []int32
	Column []int32
	Flags  []Flags
}

// Frames is the table of frames: a function and the position (1-based, 0 when
// unknown) where execution was in it.
type Frames struct {
	Function []FunctionID
	Line     []int32
	Column   []int32
}

// Stacks is a trie: a stack is its top frame and its caller's stack. A parent
// always comes before its children, so Parent[i] < i.
type Stacks struct {
	Parent []StackID
	Frame  []FrameID
}

// Samples are in order of time. A sample represents its ticks, and its time is where they end: a check takes the ticks
// that are due, and a sampler takes one when it looks. If a file has samples that last until the next one, its reader
// sets each sample's time to its end.
type Samples struct {
	Time   []int64   // nanoseconds since Meta.Start at which the sample was taken
	Stack  []StackID // as captured; Attribute says to whom its self time belongs
	Weight []int32   // ticks the sample stands for, at least 1
	Kind   []Kind
	Skid   []int64  // nanoseconds from the first of its ticks to the check that took them
	Marker []Marker // nil if no sample has one
	Tags   []TagsID // nil if no sample has any
}

// Meta says how the profile was made and how well. In JSON, durations are whole
// nanoseconds.
type Meta struct {
	Start    time.Time     `json:"start,omitzero"`
	Duration time.Duration `json:"durationNs"`
	Interval time.Duration `json:"intervalNs"`        // nominal gap between two ticks
	Program  string        `json:"program,omitempty"` // what was profiled, as the user named it
	Engine   string        `json:"engine,omitempty"`  // "goja", "node", …
	Preset   string        `json:"preset,omitempty"`
	Clock    string        `json:"clock,omitempty"`       // what raised the flag
	Seed     uint64        `json:"seed,string,omitempty"` // of the clock's jitter
	// IdleKnown: the host told apart the ticks that fell while nothing ran, so
	// none of them is among the samples of checks.
	IdleKnown bool `json:"idleKnown,omitempty"`
	// Summed: a sample's ticks were taken one by one, in many recordings, and added up. Otherwise
	// a check took all of them at once.
	Summed bool `json:"summed,omitempty"`
	// Exact: a tick is exactly the interval, because the samples of a file have measured times. They
	// may be those of several processors, and need not add up to the duration.
	Exact    bool     `json:"exact,omitempty"`
	Ticks    Ticks    `json:"ticks,omitzero"`
	Late     Spread   `json:"late,omitzero"` // the coordinator's own delay
	Skid     Spread   `json:"skid,omitzero"` // from tick to check
	Coverage Coverage `json:"coverage,omitzero"`
	// DebugIDs are the ids that build tools gave scripts and their source maps, by the
	// scripts' names. They may come from a page.
	DebugIDs map[string]string `json:"debugIds,omitempty"`
	// Notes say what was lost and why, for people. They may come from a page.
	Notes []string `json:"notes,omitempty"`
}

// The clocks of scripts in Node and in browsers, as Meta has them.
const (
	ClockShared = "worker, shared flag"
	ClockPolled = "polled"
)

// ClockName is the name of a clock that scripts call "shared" or "poll"; others keep theirs.
func ClockName(clock string) string {
	switch clock {
	case "shared":
		return ClockShared
	case "poll":
		return ClockPolled
	}
	return clock
}

// Ticks is the account of the clock: Raised + Missed is what the interval
// promised, Taken + Idle + GC + Lost is what became of the raised ones.
type Ticks struct {
	Raised int64 `json:"raised"` // delivered to the flag, or counted as idle or GC
	Missed int64 `json:"missed"` // whose deadline passed while the coordinator could not run
	Taken  int64 `json:"taken"`  // taken by checks (and at the ends of tasks)
	Idle   int64 `json:"idle"`   // fell when no script ran
	GC     int64 `json:"gc"`     // fell in a pause of the host's collector
	Lost   int64 `json:"lost"`   // raised but never taken
	// Dropped ticks were raised, and then fell out of a recording that is bounded: they are not
	// among the Raised ones, nor among the samples.
	Dropped int64 `json:"dropped,omitempty"`
}

// Spread summarises a distribution of delays.
type Spread struct {
	Count  int64         `json:"count"`
	Median time.Duration `json:"medianNs"`
	P95    time.Duration `json:"p95Ns"`
	Max    time.Duration `json:"maxNs"`
}

// SpreadOf summarises delays, which it sorts.
func SpreadOf(delays []time.Duration) Spread {
	if len(delays) == 0 {
		return Spread{}
	}
	slices.Sort(delays)
	at := func(percent int) time.Duration { return delays[(len(delays)*percent+99)/100-1] }
	return Spread{Count: int64(len(delays)), Median: at(50), P95: at(95), Max: at(100)}
}

// Coverage says how much of the program the checks can tell apart.
type Coverage struct {
	Functions         int64 `json:"functions"`
	CheckedFunctions  int64 `json:"checkedFunctions"`
	Statements        int64 `json:"statements"`
	CheckedStatements int64 `json:"checkedStatements"`
}

// Len is the number of samples.
func (p *Profile) Len() int { return len(p.Samples.Stack) }

// Ticks is the number of ticks that the samples stand for.
func (s *Samples) Ticks() (ticks int64) {
	for _, w := range s.Weight {
		ticks += int64(w)
	}
	return ticks
}
