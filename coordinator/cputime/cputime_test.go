package cputime

import (
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
