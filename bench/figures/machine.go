package figures

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldprof/fieldprof/profile/view"
)

// Differs lists facts by which figures of two machines are not comparable: "node 20.20.2, not 20.19.0".
// It ignores the day, the kernel and the size of the memory, which a restart may change, and
// facts that only one of the two states.
func (m Machine) Differs(from Machine) []string {
	mine, theirs := m.Facts(), from.Facts()
	delete(mine, kernel)
	var list []string
	for _, name := range slices.Sorted(maps.Keys(mine)) {
		if a, b := mine[name], theirs[name]; a != "" && b != "" && a != b {
			list = append(list, fmt.Sprintf("%s %s, not %s", name, a, b))
		}
	}
	return list
}

// kernel is the name of the fact that a restart may change.
const kernel = "kernel"

// Facts are what figures may depend on, by name.
func (m Machine) Facts() map[string]string {
	all := map[string]string{"CPUs": strconv.Itoa(m.CPUs), "Go": m.Go, "processor": m.Processor, "system": m.System, "platform": m.Platform, kernel: m.Kernel}
	maps.Copy(all, m.Tools)
	return all
}

// systemFiles is where Linux says what it runs on. Other systems have no such files.
var systemFiles = os.DirFS("/")

// look reads what the system says of the machine.
func (m *Machine) look(files fs.FS) {
	m.Processor = bounded(field(files, "proc/cpuinfo", "model name", ":"))
	m.System = bounded(strings.Trim(field(files, "etc/os-release", "PRETTY_NAME", "="), `"`))
	m.Kernel = bounded(firstLine(files, "proc/sys/kernel/osrelease"))
	if kilobytes, ok := strings.CutSuffix(field(files, "proc/meminfo", "MemTotal", ":"), " kB"); ok {
		if n, err := strconv.ParseInt(kilobytes, 10, 50); err == nil && n > 0 {
			m.Memory = n << 10
		}
	}
}

const (
	longestFact = 100     // characters of a fact about the machine
	systemFile  = 1 << 16 // bytes that are read of a file of the system
)

// field is the value of the first line of a file that has the key.
func field(files fs.FS, name, key, separator string) string {
	for line := range lines(files, name) {
		if k, value, ok := strings.Cut(line, separator); ok && strings.TrimSpace(k) == key {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func firstLine(files fs.FS, name string) string {
	for line := range lines(files, name) {
		return strings.TrimSpace(line)
	}
	return ""
}

// lines are the lines of the start of a file; none if it cannot be read.
func lines(files fs.FS, name string) func(func(string) bool) {
	return func(yield func(string) bool) {
		file, err := files.Open(name)
		if err != nil {
			return
		}
		defer file.Close()
		for scanner := bufio.NewScanner(io.LimitReader(file, systemFile)); scanner.Scan(); {
			if !yield(scanner.Text()) {
				return
			}
		}
	}
}

// bounded is a fact in one printable line of bounded length. One that begins with a
// slash is a path, and left out.
func bounded(fact string) string {
	fact = strings.Join(strings.Fields(view.Printable(fact)), " ")
	if strings.HasPrefix(fact, "/") {
		return ""
	}
	if runes := []rune(fact); len(runes) > longestFact {
		fact = string(runes[:longestFact])
	}
	return fact
}
