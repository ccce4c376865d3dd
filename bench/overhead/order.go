package overhead

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// Order says what one invocation does. The drivers read it as JSON; times are in
// milliseconds.
type Order struct {
	Program string    `json:"program"`          // the path of its entry
	Builds  [2]string `json:"builds"`           // their files, the clean one first
	Preset  string    `json:"preset,omitempty"` // goja's child inserts the checks; none: both are clean
	Result  string    `json:"result,omitempty"` // the file for it
	Swap    bool      `json:"swap"`             // the checked build is loaded first
	Seed    uint32    `json:"seed"`
	// Rounds is the number of rounds of a turn; 0: as many as take the time of Turn, but not fewer than
	// Fewest.
	Rounds int     `json:"rounds,omitempty"`
	Fewest int     `json:"fewest"`
	Turn   float64 `json:"turn"`
	Warm   float64 `json:"warm"` // of each build
	// Extra is planted work: this part of a clean turn, in each turn of the second build.
	Extra    float64 `json:"extra,omitempty"`
	Interval float64 `json:"interval"`
	Clock    string  `json:"clock,omitempty"`
	// Only is the build that runs, where it does not share its process.
	Only    *int    `json:"only,omitempty"`
	Counter int     `json:"counter,omitempty"` // the descriptor of a counter of instructions
	Phases  []Phase `json:"phases"`
}

// Phase is a part of an invocation: blocks of four turns, until the checked build has had
// its time.
type Phase struct {
	Name   string  `json:"name"`
	Ms     float64 `json:"ms"`
	Blocks int     `json:"blocks,omitempty"` // at least
	Only   *int    `json:"only,omitempty"`   // no turns for the other build
	Begin  string  `json:"begin,omitempty"`  // first "record" or "stop"
}

// The builds by number.
const (
	clean = iota
	checked
)

// draw draws what differs from one invocation to the next.
func (o *Order) draw(rng *rand.Rand) {
	o.Seed, o.Swap = rng.Uint32()>>1, rng.IntN(2) == 1
}

// Result is what a driver gives back.
type Result struct {
	// Turns are [phase, build, block, …gains of the clocks, in the order of meters].
	Turns   [][]float64 `json:"turns"`
	Rounds  int         `json:"rounds"`
	Clock   string      `json:"clock"`   // of the recording
	Differs bool        `json:"differs"` // the builds printed different things
	Printed bool        `json:"printed"`
	Failure string      `json:"failure,omitempty"`
}

func readResult(text []byte, order *Order) (*Result, error) {
	var r Result
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("its result cannot be read: %w", err)
	}
	for _, turn := range r.Turns {
		if len(turn) != 3+len(meters) || int(turn[0]) < 0 || int(turn[0]) >= len(order.Phases) || turn[1] != clean && turn[1] != checked {
			return nil, errors.New("its result has no turns of this order")
		}
	}
	switch {
	case r.Failure != "":
		return nil, errors.New(r.Failure)
	case r.Differs:
		return nil, errors.New("it printed something other than the clean program")
	case r.Clock != order.Clock:
		return nil, fmt.Errorf("it recorded by the clock %q, not %q", r.Clock, order.Clock)
	case !r.Printed:
		return nil, errors.New("it printed nothing, so that nobody knows whether it worked")
	}
	return &r, nil
}

// meters are the clocks, in the order in which drivers list them: nanoseconds, and
// instructions. One that an engine does not have gains nothing.
var meters = []string{"main", "process", "wall", "instructions"}

// milliseconds of an order.
func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
