//go:build unix && !linux

package browser

import "syscall"

// endWithParent: only Linux tells a process that its parent died.
func endWithParent(*syscall.SysProcAttr) {}
