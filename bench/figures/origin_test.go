package figures

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fieldprof/fieldprof/internal/must"
)

func TestMachine(t *testing.T) {
	var m Machine
	m.look(fstest.MapFS{
		"proc/cpuinfo":              {Data: []byte("processor\t: 0\nmodel name\t: A  CPU\x1b[31m @ 2.1GHz\nmodel name\t: B\n")},
		"proc/meminfo":              {Data: []byte("MemTotal:       1024 kB\n")},
		"proc/sys/kernel/osrelease": {Data: []byte("6.1.0\n")},
		"etc/os-release":            {Data: []byte("NAME=x\nPRETTY_NAME=\"Debian GNU/Linux 13\"\n")},
	})
	if m.Processor != "A CPU\\x1b[31m @ 2.1GHz" || m.Memory != 1<<20 || m.Kernel != "6.1.0" || m.System != "Debian GNU/Linux 13" {
		t.Errorf("%+v", m)
	}
}

// The origin leaves out what a system does not say or says as a path, and cuts long answers.
func TestMachineThatSaysLittle(t *testing.T) {
	var m Machine
	m.look(fstest.MapFS{
		"proc/cpuinfo":   {Data: []byte("model name: " + strings.Repeat("é", 1000) + "\n")},
		"proc/meminfo":   {Data: []byte("MemTotal: -5 kB\n")},
		"etc/os-release": {Data: []byte("PRETTY_NAME=/home/user\n")},
	})
	if len([]rune(m.Processor)) != longestFact || m.Memory != 0 || m.Kernel != "" || m.System != "" {
		t.Errorf("%+v", m)
	}
}

// Results that were recorded before the origin had more fields can be read.
func TestFormerOrigin(t *testing.T) {
	var o Origin
	must.Do(t, json.Unmarshal([]byte(`{"machine":{"when":"2026-11-21","cpus":2,"go":"go1.26.8"},"command":"go run ./bench build"}`), &o))
	if got := o.WithGo(); got != "`go run ./bench build`, 2026-11-21, 2 CPUs, go1.26.8" {
		t.Error(got)
	}
	if text := string(must.Get(json.Marshal(o))(t)); strings.Contains(text, "commit") || strings.Contains(text, "tools") {
		t.Errorf("what is not known is there: %s", text)
	}
}
