package overhead

import (
	"os/exec"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/fieldprof/fieldprof/internal/must"
)

// A counter that is opened here counts in the child. The kernel of a virtual machine may
// have no counter of instructions; its clock is counted in the same way.
func TestCounterIsInherited(t *testing.T) {
	counter, err := openEvent(unix.PERF_TYPE_SOFTWARE, unix.PERF_COUNT_SW_TASK_CLOCK)
	if err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	defer closeCounter(counter)
	before := must.Get(readCounter(counter))(t)
	must.Do(t, exec.Command("true").Run())
	if after := must.Get(readCounter(counter))(t); before != 0 || after == 0 {
		t.Errorf("it counted %d, then %d", before, after)
	}
}
