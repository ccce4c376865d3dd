package spool

import "syscall"

// full are the errors of files that may not grow: a full disk, a full handle, and a quota.
var full = []error{syscall.Errno(112), syscall.Errno(39), syscall.Errno(1295)}
