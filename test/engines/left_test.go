package engines

import (
	"context"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/engine"
)

// A page that the program leaves ends the run, and one that it loads again, or whose requests it
// stops, goes on.
func TestPagesThatAreLeft(t *testing.T) {
	leaves := write(t, "leaves.js", "location.href = 'about:blank'; setInterval(() => {}, 1000);")
	stays := write(t, "stays.js", `
window.stop();
const again = sessionStorage.getItem('again');
sessionStorage.setItem('again', 'yes');
console.log(again ?? 'first');
if (!again) {
  setTimeout(() => location.reload(), 100); // after the timer that sends what was printed
  setInterval(() => {}, 1000);
}
`)
	each(t, 1, func(t *testing.T, run runner) {
		if strings.HasSuffix(t.Name(), "/node") {
			t.Skip("Node has no pages")
		}
		if !strings.HasSuffix(t.Name(), "/firefox") { // which often stays where it is: doc.go of engine/browser
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			_, _, err := attempt(ctx, run, engine.Program{Path: leaves}, engine.Settings{})
			skipMissing(t, err)
			if err == nil || !strings.Contains(err.Error(), "the program left it") {
				t.Errorf("left: %v", err)
			}
		}
		if got, _ := perform(t, run, engine.Program{Path: stays}, engine.Settings{}); got != (outcome{stdout: "first\nyes\n"}) {
			t.Errorf("%+v", got)
		}
	})
}
