//go:build !linux

package coordinator

import "time"

// fineSleep is how much of a wait is left to sleep.
const fineSleep = 0

func sleep(d time.Duration) { time.Sleep(d) }
