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
