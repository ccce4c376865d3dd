//go:build !unix

package browser

import "os/exec"

func ownGroup(*exec.Cmd) {}

// killGroup kills a program; its children end by themselves.
func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
