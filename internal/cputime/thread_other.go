//go:build !linux

package cputime

import "time"

func thread() (time.Duration, bool) { return 0, false }

func threadID() int { return 0 }

func threadOf(int) (time.Duration, bool) { return 0, false }
