package runtime_test

import "testing"

// Each script of testdata/live tests sources that stream.
func TestLive(t *testing.T) {
	for _, name := range []string{"client", "encode", "stream"} {
		t.Run(name, func(t *testing.T) { t.Log(runNode(t, bundle(t, "testdata/live/"+name+".ts"))) })
	}
}
