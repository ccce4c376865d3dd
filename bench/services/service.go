package services

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/fieldprof/fieldprof/bench/serving"
)

// The ways in which a service runs.
const (
	clean      = "clean"
	again      = "clean, again"
	continuous = "continuous"
	sampled    = "node --cpu-prof"
)

// byTurns are those that are under load by turns.
var byTurns = []string{clean, again, continuous}

// process is a service that waits for requests.
type process struct {
	way     string
	address string
	cmd     *exec.Cmd
	said    bytes.Buffer // on standard error
}

// profilesFolder is where the profiles of a way are, in the folder of the builds.
func profilesFolder(folder, way string) string {
	return filepath.Join(folder, "profiles of "+way)
}

// start starts a service that was built in a folder.
func start(ctx context.Context, folder, way string) (*process, error) {
	profiles := profilesFolder(folder, way)
	var options []string
	environment := os.Environ()
	build := cleanFolder
	switch way {
	case continuous:
		build, options = profiledFolder, []string{"--import", "@fieldprof/runtime/register"}
		environment = append(environment, "FIELDPROF_MODE=continuous", "FIELDPROF_OUTPUT="+filepath.Join(profiles, "service.pb.gz"))
	case sampled:
		options = []string{"--cpu-prof", "--cpu-prof-dir=" + profiles}
	}
	if err := os.MkdirAll(profiles, 0o700); err != nil {
		return nil, err
	}
	p := &process{way: way, cmd: exec.CommandContext(ctx, "node", append(options, filepath.Join(build, script), "serve")...)}
	p.cmd.Dir, p.cmd.Env, p.cmd.Stderr = folder, environment, &p.said
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
		return nil, fmt.Errorf("%s: it does not serve: %s", way, p.said.String())
	}
	p.address = strings.TrimSpace(line)
	return p, nil
}

// cpu is the processor time of all its threads.
func (p *process) cpu() (time.Duration, error) {
	used, err := serving.Used(p.cmd.Process.Pid)
	return used.CPU, err
}

// end has it end as services do, after which its profiles are written.
func (p *process) end() error {
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	if err := p.cmd.Wait(); err != nil || p.said.Len() > 0 {
		return errors.Join(err, fmt.Errorf("%s: it said: %s", p.way, p.said.String()))
	}
	return nil
}

// kill ends one that is of no use any more.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}
