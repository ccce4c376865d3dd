package profiles

import (
	"math"
	"testing"

	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/transform"
)

// onMovedClock serves the page whose clock moves only by what its functions
// add to it, and whose chance is the same each time: so whatever the machine does
// meanwhile, its shares are the same. Nothing but checks can read such a clock, so
// they poll. The bench measures the shares by real clocks (`bench bias`, with
// the programs sequence, idle and native-*).
func onMovedClock(t *testing.T, preset transform.Preset, test func(t *testing.T, b *browser.Browser, url string)) {
	t.Helper()
	files := without(t, instrument(t, "moved", preset), map[string][]byte{
		"index.html": []byte(`<!doctype html><script>
			let moved = 1000;
			performance.now = () => moved;
			Math.random = ((x) => () => (x = (x * 1103515245 + 12345) % 2147483648) / 2147483648)(42);
			const builtin = (ms) => { moved += ms };
			// Long enough for messages and timers that are under way to arrive.
			async function settle() {
				for (let i = 0; i < 3; i++) {
					await new Promise((done) => setTimeout(done));
					await new Promise((done) => { const { port1, port2 } = new MessageChannel(); port1.onmessage = done; port2.postMessage(0); });
				}
			}
			async function rest() {
				await settle();
				moved += 38;
				await settle();
			}
			async function live(rounds) {
				const button = document.createElement('button');
				button.addEventListener('click', () => clickHandler());
				for (let i = 0; i < rounds; i++) {
					await rest();
					await new Promise((done) => setTimeout(() => done(timerHandler())));
					await rest();
					button.click();
					await rest();
					await new Promise((done) => { const { port1, port2 } = new MessageChannel(); port1.onmessage = () => done(messageHandler()); port2.postMessage(0); });
				}
			}
		</script><script src="fieldprof/runtime.js"></script><script src="app.js"></script>`),
	})
	site := browser.Serve(t, browser.Site{Files: files})
	browser.Each(t, func(t *testing.T, b *browser.Browser) { test(t, b, site.URL+"/index.html") })
}

// near fails the test where a share is more than so many points off.
func near(t *testing.T, got, want map[string]float64, points float64) {
	t.Helper()
	for name := range want {
		if !(math.Abs(got[name]-want[name]) <= points) {
			t.Errorf("%s has %.1f %%, want %.0f ± %.0f: %v", name, got[name], want[name], points, got)
		}
	}
}

// Three functions work 60, 30 and 10 percent of the time.
func TestKnownShares(t *testing.T) {
	onMovedClock(t, transform.Balanced, func(t *testing.T, b *browser.Browser, url string) {
		s := profilePage(t, b.Open(url), "poll", "work(1500)")
		sum := s.shares()
		t.Logf("%v", sum)
		near(t, among(sum, "six", "three", "one"), map[string]float64{"six": 60, "three": 30, "one": 10}, 5)
		if total := sum["six"] + sum["three"] + sum["one"]; math.Abs(total-3000) > 200 {
			t.Errorf("%.0f ticks of 3000 ms at 1 ms: %v", total, sum)
		}
	})
}

// A page that is idle 95 % of the time must read so, and no handler may be
// charged for the wait before it, whose outermost function is unchecked.
func TestIdleStaysIdle(t *testing.T) {
	onMovedClock(t, transform.Balanced, func(t *testing.T, b *browser.Browser, url string) {
		s := profilePage(t, b.Open(url), "poll", "live(20)")
		sum, total := s.shares(), 0.0
		for _, ticks := range sum {
			total += ticks
		}
		t.Logf("%v", sum)
		if idle := 100 * sum[none] / total; math.Abs(idle-95) > 3 {
			t.Errorf("idle reads %.1f %%: %v", idle, sum)
		}
		if took := s.Ended - s.Began; math.Abs(took-2400) > 1 || math.Abs(total-took) > 200 {
			t.Errorf("%.0f ticks in %.0f ms at 1 ms", total, took)
		}
	})
}

// Time in builtins belongs to the function that called them.
func TestTimeInBuiltins(t *testing.T) {
	onMovedClock(t, transform.Precise, func(t *testing.T, b *browser.Browser, url string) {
		s := profilePage(t, b.Open(url), "poll", "call(150)")
		sum := s.shares()
		t.Logf("%v", sum)
		near(t, among(sum, "parsing", "sorting", "matching", "rendering"), map[string]float64{"parsing": 18.5, "sorting": 45.5, "matching": 6.5, "rendering": 29.5}, 4)
	})
}
