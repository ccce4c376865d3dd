package runtime_test

import "testing"

// Each script of testdata/send tests sources that send.
func TestSend(t *testing.T) {
	for _, name := range []string{"pieces", "queue", "save", "consent", "canary"} {
		t.Run(name, func(t *testing.T) { runNode(t, bundle(t, "testdata/send/"+name+".ts")) })
	}
}
