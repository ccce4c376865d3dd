package figures

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Origin says where figures come from. Reports embed it. Results recorded before a
// field existed lack it.
type Origin struct {
	Machine Machine `json:"machine"`
	// Commit is the measured tree's, and Dirty says that the tree had other changes.
	Commit string `json:"commit,omitempty"`
	Dirty  bool   `json:"dirty,omitempty"`
	// Seed is what the measure drew its random order from, if it drew one.
	Seed    uint64 `json:"seed,omitempty"`
	Command string `json:"command"`
	// Earlier are the sessions before this one, of a measure that was interrupted and resumed.
	Earlier []Session `json:"earlier,omitempty"`
}

// Session is an earlier part of a measure, on the same machine.
type Session struct {
	When    string `json:"when"`
	Commit  string `json:"commit,omitempty"`
	Dirty   bool   `json:"dirty,omitempty"`
	Command string `json:"command"`
}

// After says that the measure goes on where another one ended.
func (o *Origin) After(before Origin) {
	o.Earlier = append(slices.Clone(before.Earlier), Session{before.Machine.When, before.Commit, before.Dirty, before.Command})
}

// Machine is what the figures were measured on. Facts that the machine does not tell
// are absent, and nothing in it names the machine, its user or its folders.
type Machine struct {
	When      string `json:"when"`
	CPUs      int    `json:"cpus"`
	Go        string `json:"go"`
	Processor string `json:"processor,omitempty"` // the model
	Memory    int64  `json:"memoryBytes,omitempty"`
	System    string `json:"system,omitempty"` // the distribution
	Kernel    string `json:"kernel,omitempty"`
	Platform  string `json:"platform,omitempty"` // as Go names it: linux/amd64
	// Tools are the versions of engines and tools, by name.
	Tools map[string]string `json:"tools,omitempty"`
}

// Versions lists the versions of tools in one line, by name; "" if none is known.
func (m Machine) Versions() string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(m.Tools)) {
		list = append(list, Cell(name+" "+m.Tools[name]))
	}
	return strings.Join(list, ", ")
}

// Ask fills in what only other programs know of an origin: the versions of engines and
// the commit. The command of the bench sets it; tests start no programs for it.
var Ask func(*Origin)

// Here is the origin of figures that this process measures, by arguments of the
// bench.
func Here(arguments string) Origin {
	o := Origin{
		Machine: Machine{When: time.Now().UTC().Format(time.DateOnly), CPUs: runtime.NumCPU(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH},
		Command: "go run ./bench " + arguments,
	}
	o.Machine.look(systemFiles)
	if Ask != nil {
		Ask(&o)
	}
	return o
}

// Runs is Here for a measure that is run a number of times.
func Runs(measure string, runs int) Origin { return Here(fmt.Sprintf("%s --runs %d", measure, runs)) }

// InShort is the origin as tables state it.
func (o Origin) InShort() string {
	var begun string
	if len(o.Earlier) > 0 {
		begun = fmt.Sprintf(" (begun %s by `%s`)", o.Earlier[0].When, o.Earlier[0].Command)
	}
	return fmt.Sprintf("`%s`, %s%s, %d CPUs", o.Command, o.Machine.When, begun, o.Machine.CPUs)
}

// WithGo adds Go's version, where it is Go code that is timed.
func (o Origin) WithGo() string { return o.InShort() + ", " + o.Machine.Go }
