package runtime_test

import "testing"

// Each script of testdata/sampling tests sources that sample.
func TestSampling(t *testing.T) {
	for _, name := range []string{"clock", "poll", "sessions", "errors", "shared", "coordinator"} {
		t.Run(name, func(t *testing.T) { runNode(t, bundle(t, "testdata/sampling/"+name+".ts")) })
	}
}
