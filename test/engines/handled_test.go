package engines

import (
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/engine"
	"github.com/fieldprof/fieldprof/engine/node"
	"github.com/fieldprof/fieldprof/internal/must"
)

// A program that handles its errors goes on, as in a page of its own.
func TestHandledErrors(t *testing.T) {
	goesOn := write(t, "app.mjs", `
addEventListener("error", (event) => { console.log(event.message.includes("heard")); event.preventDefault(); });
addEventListener("unhandledrejection", (event) => { console.log(event.reason); event.preventDefault(); });
setTimeout(() => { throw new Error("heard"); });
setTimeout(() => {
	Promise.reject("refused");
	onerror = (message) => { console.log(message.includes("by the property")); return true; };
	setTimeout(() => { throw new Error("heard, and by the property"); });
}, 10);
const box = document.createElement("div");
document.body.append(box);
let turns = 0;
await new Promise((done) => {
	const observer = new ResizeObserver(() => { // for which browsers have an error event
		box.style.width = 100 + ++turns + "px";
		if (turns > 3) { observer.disconnect(); done(); }
	});
	observer.observe(box);
});
throw new Error("heard, from the body");
`)
	fails := write(t, "fails.mjs", `
addEventListener("error", () => console.log("heard"));
const part = await 1;
throw new Error("the end of part " + part);
`)
	browsersEach(t, func(t *testing.T, run runner) {
		got, _ := perform(t, run, engine.Program{Path: goesOn}, engine.Settings{})
		if got.code != 0 || got.failure != "" || strings.Count(got.stdout, "true") != 4 || !strings.Contains(got.stdout, "refused") {
			t.Errorf("%+v", got)
		}
		got, _ = perform(t, run, engine.Program{Path: fails}, engine.Settings{})
		if got.code != 1 || got.stdout != "heard\n" || !strings.HasPrefix(got.failure, fails+":4:") || !strings.Contains(got.failure, "Uncaught Error: the end of part 1") {
			t.Errorf("%+v", got)
		}
	})
}

// Node asks a program about an error in the body of its module, too.
func TestErrorOfAModuleBody(t *testing.T) {
	must.Have(t, "node")
	heeds := write(t, "heeds.mjs", "process.on('uncaughtException', (e, origin) => console.log('caught', e.message, origin)); setTimeout(() => console.log('later'), 5); await 1; throw new Error('mine')")
	if got, _ := perform(t, node.Run, engine.Program{Path: heeds}, engine.Settings{}); got != (outcome{stdout: "caught mine unhandledRejection\nlater\n"}) {
		t.Errorf("%+v", got)
	}
	throws := write(t, "throws.mjs", "process.on('uncaughtException', () => { console.log('caught'); throw new Error('of the listener') }); await 1; throw new Error('mine')")
	if got, _ := perform(t, node.Run, engine.Program{Path: throws}, engine.Settings{}); got.code != 7 || got.stdout != "caught\n" || !strings.Contains(got.failure, "of the listener") {
		t.Errorf("%+v", got)
	}
	fails := write(t, "fails.mjs", "await 1; throw new Error('mine')")
	for _, mode := range []string{"throw", "warn", "none"} { // as for Node, which asks for no rejection here
		run := node.Command{Options: []string{"--unhandled-rejections=" + mode}}.Run
		if got, _ := perform(t, run, engine.Program{Path: fails}, engine.Settings{}); got.code != 1 || !strings.Contains(got.failure, "Uncaught Error: mine") || got.stderr != "" {
			t.Errorf("%s: %+v", mode, got)
		}
	}
}
