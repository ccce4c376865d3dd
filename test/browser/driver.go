package browser

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
)

// request is one line to the driver; see the operations of driver/driver.mjs.
type request struct {
	ID         int               `json:"id"`
	Op         string            `json:"op"`
	Browser    string            `json:"browser,omitempty"`
	Programs   map[string]string `json:"programs,omitempty"`
	Page       int               `json:"page,omitempty"`
	URL        string            `json:"url,omitempty"`
	Fresh      bool              `json:"fresh,omitempty"`
	Expression string            `json:"expression,omitempty"`
	Path       string            `json:"path,omitempty"`
	Key        string            `json:"key,omitempty"`
	Limit      int64             `json:"limit,omitempty"` // milliseconds
	X          int               `json:"x"`
	Y          int               `json:"y"`
}

// response is one line from it.
type response struct {
	ID     int             `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  string          `json:"error"`
}

// driver is the running Node process.
type driver struct {
	cmd   *exec.Cmd
	input io.WriteCloser

	mu      sync.Mutex
	last    int                   // id of the last request
	waiting map[int]chan response // by id
	ended   error                 // why no more responses come
}

// running is the driver that all share, until Stop.
var running struct {
	sync.Mutex
	driver *driver
}

// theDriver starts with the first call, and again with the first after Stop.
func theDriver() (*driver, error) {
	running.Lock()
	defer running.Unlock()
	if running.driver != nil {
		return running.driver, nil
	}
	d, err := startDriver(os.TempDir())
	running.driver = d
	return d, err
}

// startDriver starts a driver that keeps its files below a folder.
func startDriver(folder string) (*driver, error) {
	cmd := exec.Command("node", "driver.mjs")
	cmd.Dir = driverFolder()
	cmd.Env = append(cmd.Environ(), "TMPDIR="+folder)
	cmd.Stderr = os.Stderr
	input, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	d := &driver{cmd: cmd, input: input, waiting: map[int]chan response{}}
	go d.read(output)
	return d, nil
}

// read hands responses to the calls that wait for them.
func (d *driver) read(output io.Reader) {
	lines := bufio.NewReader(output)
	for {
		line, err := lines.ReadBytes('\n')
		var r response
		if err == nil {
			err = json.Unmarshal(line, &r)
		}
		d.mu.Lock()
		if err != nil {
			d.ended = fmt.Errorf("the driver of the browsers ended: %w", err)
			for _, waits := range d.waiting {
				close(waits)
			}
			d.waiting = nil
			d.mu.Unlock()
			return
		}
		if waits := d.waiting[r.ID]; waits != nil {
			waits <- r
			delete(d.waiting, r.ID)
		}
		d.mu.Unlock()
	}
}

// limit ends operations that hang; the driver's own limits lie below.
const limit = 6 * time.Minute

func (d *driver) call(r request) (json.RawMessage, error) {
	waits := make(chan response, 1)
	d.mu.Lock()
	if d.ended != nil {
		d.mu.Unlock()
		return nil, d.ended
	}
	d.last++
	r.ID = d.last
	d.waiting[r.ID] = waits
	line, err := json.Marshal(r)
	if err == nil {
		_, err = d.input.Write(append(line, '\n'))
	}
	d.mu.Unlock()
	if err != nil {
		return nil, err
	}
	select {
	case answer, alive := <-waits:
		if !alive {
			return nil, d.ended
		}
		if answer.Error != "" {
			return nil, errors.New(answer.Error)
		}
		return answer.Result, nil
	case <-time.After(limit):
		return nil, fmt.Errorf("%s: no answer after %v", r.Op, limit)
	}
}

// end closes the driver's input, at which it closes its browsers.
func (d *driver) end() {
	d.input.Close()
	kill := time.AfterFunc(15*time.Second, func() { d.cmd.Process.Kill() })
	d.cmd.Wait()
	kill.Stop()
}

// call sends a request for a test and decodes its result, if one is wanted.
func call(t *testing.T, r request, result any) {
	t.Helper()
	d := must.Get(theDriver())(t)
	value, err := d.call(r)
	if err == nil && result != nil && len(value) > 0 {
		err = json.Unmarshal(value, result)
	}
	must.Do(t, err)
}

// MainOnce is Main for packages whose work is all in other programs: under -short,
// where CI looks for races, they have nothing to show.
func MainOnce(m *testing.M) {
	flag.Parse()
	if testing.Short() {
		fmt.Println("short: left out, it runs in other programs")
		return
	}
	Main(m)
}

// Main runs the tests of a package and closes the browsers. Without it they
// close when the process ends, a moment after.
func Main(m *testing.M) {
	code := m.Run()
	Stop()
	os.Exit(code)
}
