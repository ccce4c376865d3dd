//go:build unix

package browser

import (
	"os/exec"
	"syscall"
)

// ownGroup gives a program a process group of its own, and lets it end with this
// process where the system can see to that.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	endWithParent(cmd.SysProcAttr)
}

// killGroup ends a program with all that it started.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
