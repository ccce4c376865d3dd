package interactions

import (
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/runtime"
	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/transform"
)

const routesScript = `
function spin(ms) { let x = 0; for (const end = performance.now() + ms; performance.now() < end;) x += Math.sqrt(x + 1); return x }
class Card extends HTMLElement {
  constructor() {
    super();
    this.attachShadow({ mode: 'open' }).innerHTML = '<style>button { width: 100px; height: 100px }</style><button id=go><i>go</i></button>';
    this.shadowRoot.getElementById('go').addEventListener('click', () => route());
  }
}
customElements.define('a-card', Card);
function route() {
  history.pushState(null, '', '/next?secret=1');
  spin(1200);
  document.querySelector('h1').textContent = 'next';
}
/** Is slow until it has been seen, when it has ended and before. */
function task() {
  spin(400);
  observing.slices().then((all) => (window.ongoing ??= all.find((slice) => isTask(slice) && !slices.includes(slice))));
  spin(100);
  if (!window.ongoing || !slices.some(isTask)) setTimeout(task, 300);
}
const isTask = ({ trace }) => trace.frames.some(({ name }) => name === 'task');
`

const routesPage = `<!doctype html><style>body { margin: 0 }</style>
<a-card id="card"></a-card><h1>first</h1>
<script src="runtime.js"></script>
<script src="routes.js"></script>
<script type="module">
import { observe } from './interactions.js';
window.slices = [];
window.observing = observe({ onslow: (slice) => slices.push(slice) });
window.ready = true;
</script>`

// observed is a slice as far as this test looks at it.
type observed struct {
	What, Name, Target string
	Duration           float64
	Trace              struct {
		Frames    []struct{ Name string }
		Fieldprof struct {
			Marks []struct{ What, Name string }
		}
	}
}

func (o *observed) has(function string) bool {
	return slices.ContainsFunc(o.Trace.Frames, func(f struct{ Name string }) bool { return f.Name == function })
}

// A click in a shadow root that changes the route is named by what people see; a task that
// no user started is known while it runs, too.
func TestObserve(t *testing.T) {
	result := must.Get(transform.Transform([]byte(routesScript), transform.Options{File: "routes.js", Goal: transform.Script}))(t)
	site := fstest.MapFS{
		"index.html":               {Data: []byte(routesPage)},
		"routes.js":                {Data: result.Code},
		"routes.js.functions.json": {Data: must.Get(result.Table.Encode())(t)},
	}
	for _, name := range []string{"runtime.js", "trace.js", "coordinator.js", "interactions.js"} {
		site[name] = &fstest.MapFile{Data: must.Get(fs.ReadFile(runtime.Files(), name))(t)}
	}
	browser.EachWay(t, func(t *testing.T, b *browser.Browser, isolated bool) {
		page := b.Open(browser.Serve(t, browser.Site{Files: site, Isolated: isolated}).URL + "/index.html")
		page.Wait("window.ready")
		page.Click(50, 50)
		click := must.JSON[observed](t, page.Wait("slices.find(({ what, name }) => what === 'interaction' && name === 'click')"))
		if click.Target != "button#go" && click.Target != "a-card#card" || click.Duration < 1200 || !click.has("spin") {
			t.Errorf("%+v", click)
		}
		if tells := string(page.Eval("'navigation' in window")); tells == "true" {
			page.Wait("observing.counts.slow.navigation > 0")
		}
		page.Eval("void setTimeout(task)")
		task := must.JSON[observed](t, page.Wait("slices.find(isTask)"))
		ongoing := must.JSON[observed](t, page.Wait("window.ongoing"))
		for _, s := range []observed{task, ongoing} {
			if s.What == "interaction" || s.Duration < 200 || s.Trace.Fieldprof.Marks[0].What != s.What {
				t.Errorf("%+v", s)
			}
		}
		page.Quiet()
	})
}
