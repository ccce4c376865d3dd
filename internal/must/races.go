package must

import "testing"

// NotForRaces leaves a test out of a short run, as under the race detector: it takes long there, and
// no goroutine is in it but such as others look at.
func NotForRaces(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("short: other tests find its races")
	}
}
