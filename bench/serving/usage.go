// Package serving is what the measures of servers share: when requests are due, and what a
// process has used meanwhile. Usage is read from /proc, which only Linux has.
package serving

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// Usage is what a process has used.
type Usage struct {
	CPU    time.Duration // of all its threads since its start, in steps of 10 ms
	Memory int64         // resident, in bytes, now
}

// ticksPerSecond is the unit of /proc/PID/stat on every Linux.
const ticksPerSecond = 100

// Used reads the usage of a process that runs.
func Used(pid int) (u Usage, err error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return u, fmt.Errorf("the bench reads /proc, which only Linux has: %w", err)
	}
	// The second field is the program's name in parentheses, which may have some of its own.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])) // from the third field on
	if len(fields) < 22 {
		return u, fmt.Errorf("/proc/%d/stat has %d fields", pid, len(fields))
	}
	number := func(i int) int64 {
		n, bad := strconv.ParseInt(fields[i-3], 10, 64)
		err = errors.Join(err, bad)
		return n
	}
	u.CPU = time.Duration(number(14)+number(15)) * time.Second / ticksPerSecond
	u.Memory = number(24) * int64(os.Getpagesize())
	return u, err
}
