package building

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/bench/figures"
	"github.com/fieldprof/fieldprof/fixtures"
)

// buildInstrument builds the command as it is released, into a folder.
func buildInstrument(ctx context.Context, folder string) (program string, err error) {
	program = filepath.Join(folder, "instrument")
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", program, "./cmd/instrument")
	cmd.Dir = filepath.Dir(fixtures.Dir())
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build ./cmd/instrument: %w\n%s", err, out)
	}
	return program, nil
}

// onProcessors is the environment of a process that may use so many processors;
// 0 is all of them.
func onProcessors(n int) []string {
	env := slices.DeleteFunc(os.Environ(), func(e string) bool { return strings.HasPrefix(e, "GOMAXPROCS=") })
	if n > 0 {
		env = append(env, fmt.Sprintf("GOMAXPROCS=%d", n))
	}
	return env
}

// usage is the time and memory of a process's runs.
type usage struct {
	walls, cpus []float64
	peak        int64 // memory: the most of any run
}

func (u *usage) wall() time.Duration { return time.Duration(figures.Median(u.walls)) }
func (u *usage) cpu() time.Duration  { return time.Duration(figures.Median(u.cpus)) }

// run runs a command to its end.
func (u *usage) run(cmd *exec.Cmd) error {
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	watched := make(chan int64)
	go func() { watched <- watchMemory(cmd.Process.Pid, ended) }()
	err := cmd.Wait()
	wall := time.Since(began)
	close(ended)
	u.peak = max(u.peak, <-watched)
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, said.Bytes())
	}
	u.walls = append(u.walls, float64(wall))
	u.cpus = append(u.cpus, float64(cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()))
	return nil
}

// watchMemory polls the peak memory of a process until it ends. The system's figure
// for a process that has ended (ru_maxrss) includes the memory of the process that
// started it. It is 0 where there is no /proc.
func watchMemory(pid int, ended <-chan struct{}) (peak int64) {
	for {
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if _, rest, ok := bytes.Cut(status, []byte("VmHWM:")); ok {
			var kilobytes int64
			if _, err := fmt.Sscan(string(rest), &kilobytes); err == nil {
				peak = max(peak, kilobytes<<10)
			}
		}
		select {
		case <-ended:
			return peak
		case <-time.After(2 * time.Millisecond):
		}
	}
}
