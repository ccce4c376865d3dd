package spool

import "golang.org/x/sys/windows"

// full are the errors of files that may not grow.
var full = []error{windows.ERROR_DISK_FULL, windows.ERROR_HANDLE_DISK_FULL, windows.ERROR_DISK_QUOTA_EXCEEDED}
