package browser

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// A fault in a page comes back as an error that reports it, and in time.
func TestDriverTellsWhatIsWrong(t *testing.T) {
	site := Serve(t, Site{Files: page(`<!doctype html><script>var n = 1</script>`)})
	Each(t, func(t *testing.T, b *Browser) {
		p := b.Open(site.URL + "/index.html")
		d := must.Get(theDriver())(t)
		for _, c := range []struct {
			request
			want string
		}{
			{request{Op: "eval", Page: p.id, Expression: "n +"}, "eval: "},
			{request{Op: "eval", Page: p.id, Expression: "Promise.reject(new RangeError('too far'))"}, "too far"},
			{request{Op: "wait", Page: p.id, Expression: "n - 1", Limit: 50}, "not truthy after 50 ms: n - 1: last value 0"},
			{request{Op: "wait", Page: p.id, Expression: "missing", Limit: 50}, "missing"},
			{request{Op: "eval", Page: 999, Expression: "n"}, "page 999 is closed"},
			{request{Op: "open", Browser: b.Name, URL: "http://127.0.0.1:1/"}, "open: "},
			{request{Op: "juggle"}, "juggle: there is no such operation"},
		} {
			if _, err := d.call(c.request); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s %s%s: %v, want %q", c.Op, c.Expression, c.URL, err, c.want)
			}
		}
		if got := string(p.Eval("n")); got != "1" {
			t.Errorf("afterwards the page gives %s", got)
		}
	})
}

// However the driver ends, its browsers end too: one each where it may still see to that, and
// all where it is killed, or with FIELDPROF_FULL=1.
func TestNothingIsLeftRunning(t *testing.T) {
	if testing.Short() {
		t.Skip("starts every browser")
	}
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Skip("processes are looked up in /proc")
	}
	for _, c := range []struct {
		how      string
		browsers []string
		end      func(d *driver)
	}{
		{"asked to", []string{"webkit"}, func(d *driver) { d.end() }},
		{"terminated", []string{"firefox"}, func(d *driver) { d.cmd.Process.Signal(os.Interrupt); d.cmd.Wait() }},
		{"killed", names, func(d *driver) { d.cmd.Process.Kill(); d.cmd.Wait() }},
	} {
		t.Run(c.how, func(t *testing.T) {
			browsers := c.browsers
			if isFull() {
				browsers = names
			}
			folder := shortFolder(t)
			programs := map[string]map[string]string{}
			for _, name := range browsers {
				programs[name] = need(t, name)
			}
			d := must.Get(startDriver(folder))(t)
			var launching sync.WaitGroup
			for _, name := range browsers {
				launching.Go(func() {
					if _, err := d.call(request{Op: "launch", Browser: name, Programs: programs[name]}); err != nil {
						t.Error(err)
					}
				})
			}
			launching.Wait()
			if len(must.Processes(folder)) < len(browsers) {
				t.Fatalf("no browsers are running: %q", must.Processes(folder))
			}
			c.end(d)
			must.Happen(t, "all processes of "+folder+" end", func() bool { return len(must.Processes(folder)) == 0 })
			if left, _ := filepath.Glob(folder + "/fieldprof-browsers-*"); c.how != "killed" && len(left) > 0 {
				t.Errorf("left on disk: %q", left)
			}
		})
	}
}

// shortFolder is a temporary folder whose path leaves room for the names of
// sockets, which t.TempDir does not.
func shortFolder(t *testing.T) string {
	t.Helper()
	folder := must.Get(os.MkdirTemp("", "fieldprof-test-"))(t)
	t.Cleanup(func() { os.RemoveAll(folder) })
	return folder
}
