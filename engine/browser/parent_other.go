//go:build unix && !linux

package browser

import "syscall"

// endWithParent does nothing: only Linux signals a process when its parent dies.
func endWithParent(*syscall.SysProcAttr) {}
