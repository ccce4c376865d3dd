package cputime

import (
	"runtime"
	"testing"
	"time"
)

func TestProcess(t *testing.T) {
	before, known := Process()
	if !known {
		t.Skip("the system does not tell")
	}
	for end := time.Now().Add(time.Minute); ; {
		if after, _ := Process(); after > before {
			break
		}
		if time.Now().After(end) {
			t.Fatal("a busy minute took no processor time")
		}
	}
}

// A thread's time is the same for others.
func TestThreadOf(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if _, known := Thread(); !known {
		t.Skip("the system does not tell")
	}
	id := ThreadID()
	before, _ := Thread()
	told := make(chan time.Duration)
	go func() {
		runtime.LockOSThread() // the other one is taken
		defer runtime.UnlockOSThread()
		spent, _ := ThreadOf(id)
		told <- spent
	}()
	spent := <-told
	if after, _ := Thread(); spent < before || spent > after {
		t.Errorf("%v, which is not between %v and %v", spent, before, after)
	}
	if spent, known := ThreadOf(1 << 28); known {
		t.Errorf("%v of a thread that does not exist", spent)
	}
}

func TestThread(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before, known := Thread()
	if !known {
		t.Skip("the system does not tell")
	}
	for end := time.Now().Add(time.Minute); ; {
		if after, _ := Thread(); after > before {
			break
		}
		if time.Now().After(end) {
			t.Fatal("a busy minute took no processor time")
		}
	}
}
