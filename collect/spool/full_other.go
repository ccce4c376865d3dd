//go:build !windows

package spool

import "syscall"

// full are the errors of files that may not grow.
var full = []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG}
