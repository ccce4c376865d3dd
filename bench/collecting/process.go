package collecting

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// collector is the program under load.
type collector struct {
	cmd    *exec.Cmd
	folder string // of its data
	send   string // the address that chunks go to
	// dashboard is the address of the dashboard, with a token.
	dashboard string
}

// settings admit the load: it comes from one address.
const settings = `
listen: 127.0.0.1:0
data: data
apps:
  - name: shop
    keys: [bench-key-1]
    origins: ["*"]
    limits: { per-second: 1000000, per-address: 1000000 }
`

// build makes the program.
func build(ctx context.Context, folder string) (program string, err error) {
	program = filepath.Join(folder, "instrument")
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", program, "github.com/fieldprof/fieldprof/cmd/instrument")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w: %s", err, text)
	}
	return program, nil
}

// start starts a collector with empty data in a folder, and more settings.
func start(program, folder, more string) (*collector, error) {
	if err := os.WriteFile(filepath.Join(folder, "collect.yaml"), []byte(settings+more), 0o600); err != nil {
		return nil, err
	}
	c := &collector{cmd: exec.Command(program, "collect", "--config", filepath.Join(folder, "collect.yaml"), "--json"), folder: filepath.Join(folder, "data")}
	log, err := os.Create(filepath.Join(folder, "log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	c.cmd.Stderr = log
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadBytes('\n')
	var said struct {
		Send      string `json:"send"`
		Dashboard string `json:"dashboard"`
	}
	if err != nil || json.Unmarshal(line, &said) != nil {
		text, _ := os.ReadFile(log.Name())
		return nil, errors.Join(fmt.Errorf("the collector did not start: %s", text), c.kill())
	}
	c.send, c.dashboard = strings.Replace(said.Send, "localhost", "127.0.0.1", 1), strings.Replace(said.Dashboard, "localhost", "127.0.0.1", 1)
	return c, nil
}

// stop ends it in order, so that everything is in the store.
func (c *collector) stop() error {
	if err := c.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	return c.cmd.Wait()
}

func (c *collector) kill() error {
	err := c.cmd.Process.Kill()
	_ = c.cmd.Wait()
	return err
}

// sizeOf is the size of the files in a folder, of one name or of all.
func sizeOf(folder string) (bytes int64, err error) {
	err = filepath.WalkDir(folder, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil // the spool drops what is stored
		}
		if err == nil {
			bytes += info.Size()
		}
		return err
	})
	return bytes, err
}
