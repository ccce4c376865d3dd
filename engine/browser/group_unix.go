//go:build unix

package browser

import (
	"os/exec"
	"syscall"
)

// ownGroup gives a program a process group of its own, and makes it end with this
// process if the system can do so.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	endWithParent(cmd.SysProcAttr)
}

// killGroup kills a program and everything that it started.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
