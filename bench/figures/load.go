package figures

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"
)

// Load tells a quiet machine from a busy one. Figures that the system does not give are absent:
// only Linux gives them.
type Load struct {
	// Average is the number of tasks that ran or waited to, over the minute before.
	Average float64 `json:"average"`
	// Waited is the share of the time in which some task waited for a processor, in percent:
	// of the measure, too, if it has more threads than there are processors.
	Waited *float64 `json:"waited,omitempty"`
}

// String is "1.3, 12 % waited", "" of nil.
func (l *Load) String() string {
	switch {
	case l == nil:
		return ""
	case l.Waited == nil:
		return fmt.Sprintf("%.1f", l.Average)
	}
	return fmt.Sprintf("%.1f, %.0f %% waited", l.Average, *l.Waited)
}

// Observe begins to observe the load. The function that it returns tells the load when the
// measure ends, nil if the system says nothing.
func Observe() func() *Load { return observe(systemFiles, time.Now) }

func observe(files fs.FS, now func() time.Time) func() *Load {
	before, average, known := loadOf(files)
	began := now()
	return func() *Load {
		if average < 0 {
			return nil
		}
		load := &Load{Average: average}
		after, _, still := loadOf(files)
		if passed := now().Sub(began); known && still && passed > 0 {
			percent := min(100*max(0, float64(after-before)/float64(passed)), 100)
			load.Waited = &percent
		}
		return load
	}
}

// loadOf is for how long tasks have waited since the system started, and the average load;
// -1 if it is not known.
func loadOf(files fs.FS) (waited time.Duration, average float64, known bool) {
	first, _, _ := strings.Cut(firstLine(files, "proc/loadavg"), " ")
	average, err := strconv.ParseFloat(first, 64)
	if err != nil || average < 0 {
		average = -1
	}
	for line := range lines(files, "proc/pressure/cpu") {
		total, isSome := strings.CutPrefix(line, "some ")
		if _, total, ok := strings.Cut(total, "total="); isSome && ok {
			microseconds, err := strconv.ParseInt(total, 10, 63)
			return time.Duration(microseconds) * time.Microsecond, average, err == nil
		}
	}
	return 0, average, false
}
