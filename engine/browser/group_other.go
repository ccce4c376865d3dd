//go:build !unix

package browser

import "os/exec"

func ownGroup(*exec.Cmd) {}

// killGroup ends a program; what it started ends by itself.
func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
