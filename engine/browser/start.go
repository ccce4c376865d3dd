package browser

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// window is a running browser, with the screen that it needs.
type window struct {
	folder string
	groups []*exec.Cmd
	ended  chan struct{} // closed when the browser has ended
	said   *tail         // what it wrote to standard error
}

// find returns the paths of the executables that a browser needs.
func find(name Name) (binary, screen string, err error) {
	b := browsers[name]
	if binary, err = b.program.find(name); err == nil && b.screen {
		screen, err = xvfb.find(name)
	}
	return binary, screen, err
}

// open starts a browser on a page, in a process group of its own and with a fresh
// profile. Beside may be nil.
func open(name Name, url string, finest bool, beside *Beside) (_ *window, err error) {
	binary, screen, err := find(name)
	if err != nil {
		return nil, err
	}
	w := &window{ended: make(chan struct{}), said: &tail{}}
	defer func() {
		if err != nil {
			w.close()
		}
	}()
	place, err := folderFor(name, binary)
	if err != nil {
		return nil, err
	}
	if w.folder, err = os.MkdirTemp(place, "instrument-"+string(name)+"-"); err != nil {
		return nil, err
	}
	profile := filepath.Join(w.folder, "profile")
	if err := os.Mkdir(profile, 0o700); err != nil {
		return nil, err
	}
	args, env, err := browsers[name].prepare(profile, url, finest)
	if err != nil {
		return nil, err
	}
	env = append(env, "TMPDIR="+w.folder)
	if beside != nil {
		args = append(slices.Clone(beside.Arguments), args...)
		env = append(env, beside.Environment...)
		if err := addPreferences(profile, beside.Preferences); err != nil {
			return nil, err
		}
	}
	if screen != "" {
		display, err := w.startScreen(screen)
		if err != nil {
			return nil, err
		}
		env = append(env, "DISPLAY="+display)
	}
	cmd := exec.Command(binary, args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stderr = w.said
	if err := w.start(cmd); err != nil {
		return nil, err
	}
	go func() {
		defer close(w.ended)
		_ = cmd.Wait()
	}()
	return w, nil
}

// Show opens a page, which the caller serves, in a browser with a fresh profile and
// additional arguments. Close ends the browser.
func Show(name Name, url string, arguments ...string) (close func(), err error) {
	w, err := open(name, url, true, &Beside{Arguments: arguments})
	if err != nil {
		return nil, err
	}
	return w.close, nil
}

// start starts a program in a group of its own.
func (w *window) start(cmd *exec.Cmd) error {
	ownGroup(cmd)
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		return err
	}
	w.groups = append(w.groups, cmd)
	return nil
}

// screenPatience is how long Xvfb may take to start.
const screenPatience = 2 * time.Minute

// startScreen starts Xvfb on a free display, and returns the display's name.
func (w *window) startScreen(binary string) (string, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return "", err
	}
	defer read.Close()
	cmd := exec.Command(binary, "-displayfd", "3", "-screen", "0", "1280x1024x24", "-nolisten", "tcp")
	cmd.ExtraFiles = []*os.File{write}
	err = w.start(cmd)
	write.Close()
	if err != nil {
		return "", err
	}
	go func() { _ = cmd.Wait() }()
	if err := read.SetReadDeadline(time.Now().Add(screenPatience)); err != nil {
		return "", err
	}
	number, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("starting Xvfb: %w", err)
	}
	return ":" + strings.TrimSpace(number), nil
}

// close ends all processes and removes all files.
func (w *window) close() {
	for _, cmd := range w.groups {
		killGroup(cmd)
	}
	if len(w.groups) > 0 && w.ended != nil {
		select {
		case <-w.ended:
		case <-time.After(5 * time.Second):
		}
	}
	// A process that is about to end may still write.
	for range 50 {
		if w.folder == "" || os.RemoveAll(w.folder) == nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// tail keeps the end of what a program writes.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailSize = 4 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if over := len(t.text) - tailSize; over > 0 {
		t.text = append([]byte(nil), t.text[over:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(bytes.TrimSpace(t.text))
}
