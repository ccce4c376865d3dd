package npm

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/builddir"
)

// counted runs forever, unless a signal ends it: without a listener, by one that steps back
// if there are others, as signal-exit's does, or by its own hand.
const counted = `
function step(n) { return n + 1; }
step(1);
const alone = () => {
  if (process.listeners('SIGTERM').length !== 1) return;
  process.off('SIGTERM', alone);
  process.kill(process.pid, 'SIGTERM');
};
const ways = {
  nobody() {},
  alone: () => process.on('SIGTERM', alone),
  itself: () => process.kill(process.pid, 'SIGTERM'),
};
setInterval(step, 1000, 1);
ways[process.argv[2]]();
console.log('ready');
`

// A counting build ends of a signal as its source does, and leaves its counts.
func TestCountingEnds(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	must.Have(t, "node")
	folder := t.TempDir()
	must.Write(t, folder, "dist/app.cjs", counted)
	browser.Instrument(t, builddir.Options{Input: filepath.Join(folder, "dist"), Output: filepath.Join(folder, "counting"), Selection: transform.Selection{Preset: transform.Precise, Train: true}})
	for _, way := range []string{"nobody", "alone", "itself"} {
		t.Run(way, func(t *testing.T) {
			counts := filepath.Join(t.TempDir(), "counts.json")
			cmd := exec.Command("node", "counting/app.cjs", way)
			cmd.Dir = folder
			cmd.Env = append(os.Environ(), "FIELDPROF_COUNTS="+counts)
			out := must.Get(cmd.StdoutPipe())(t)
			must.Do(t, cmd.Start())
			hung := time.AfterFunc(must.Hang, func() { _ = cmd.Process.Kill() })
			defer hung.Stop()
			if line, _ := bufio.NewReader(out).ReadString('\n'); line == "ready\n" {
				must.Do(t, cmd.Process.Signal(syscall.SIGTERM))
			}
			_ = cmd.Wait()
			if status := cmd.ProcessState.Sys().(syscall.WaitStatus); status.Signal() != syscall.SIGTERM {
				t.Errorf("it ended with %v", cmd.ProcessState)
			}
			if text, err := os.ReadFile(counts); err != nil || !strings.Contains(string(text), `"name":"step"`) {
				t.Errorf("counts are %s: %v", text, err)
			}
		})
	}
}
