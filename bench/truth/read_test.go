package truth

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/engine/bundle"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/view"
	"github.com/fieldprof/fieldprof/transform"
	"github.com/fieldprof/fieldprof/transform/instrumented"
)

// inner is called by outer, which the top level calls. The class has a field
// that engines make a function of.
const source = `function inner(n) {
  return n * 2;
}
const outer = (n) => inner(n) + 1;
class Box {
  value;
  constructor() { this.value = outer(1); }
}
new Box();
`

func sourceScript(t testing.TB) *instrumented.Script {
	t.Helper()
	mapped := must.Get(transform.Transform([]byte(source), transform.Options{MapTo: "box.js", Keep: func(string) bool { return false }}))(t)
	return must.Get(describe(&bundle.Bundle{Code: []byte(source), SourceMap: mapped.Map}, transform.Web, transform.Script))(t)
}

// readers of the samplers' output.
var readers = map[string]func(text []byte, r *recording) error{
	"v8":           readV8,
	"jsc":          func(text []byte, r *recording) error { _, err := readJSC(text, r); return err },
	"spidermonkey": readGecko,
	"chromium":     func(text []byte, r *recording) error { _, err := readSelfProfile(text, r); return err },
	"goja":         func(text []byte, r *recording) error { return readStartProfile(bytes.NewReader(text), r) },
}

const v8Text = `{"nodes":[
 {"id":1,"callFrame":{"functionName":"(root)","url":"","lineNumber":-1,"columnNumber":-1},"hitCount":0,"children":[2,6]},
 {"id":2,"callFrame":{"functionName":"","url":"/tmp/x/bundle.js","lineNumber":0,"columnNumber":0},"hitCount":1,"children":[3],"positionTicks":[{"line":9,"ticks":1}]},
 {"id":3,"callFrame":{"functionName":"Box","url":"/tmp/x/bundle.js","lineNumber":6,"columnNumber":13},"hitCount":1,"children":[4,7]},
 {"id":4,"callFrame":{"functionName":"outer","url":"/tmp/x/bundle.js","lineNumber":3,"columnNumber":14},"hitCount":0,"children":[5]},
 {"id":5,"callFrame":{"functionName":"inner","url":"/tmp/x/bundle.js","lineNumber":0,"columnNumber":14},"hitCount":2,"children":[]},
 {"id":6,"callFrame":{"functionName":"(garbage collector)","url":"","lineNumber":-1,"columnNumber":-1},"hitCount":1},
 {"id":7,"callFrame":{"functionName":"<instance_members_initializer>","url":"/tmp/x/bundle.js","lineNumber":5,"columnNumber":2},"hitCount":1}],
 "samples":[1,2,5,5,5,6,7,3],"timeDeltas":[9,1,1,1,0,1,1,1]}`

const jscText = `{"traces":[
 {"timestamp":1,"frames":[{"sourceID":2,"line":9,"column":1,"flags":0}]},
 {"timestamp":2,"frames":[{"sourceID":4294967295,"line":4294967295,"column":4294967295,"flags":0},{"sourceID":2,"line":2,"column":3,"flags":0},{"sourceID":2,"line":4,"column":22,"flags":0},{"sourceID":2,"line":7,"column":32,"flags":0}]},
 {"timestamp":2.5,"frames":[{"sourceID":2,"line":2,"column":3,"flags":0},{"sourceID":2,"line":4,"column":22,"flags":0},{"sourceID":3,"line":1,"column":1,"flags":1},{"sourceID":4,"line":30,"column":1,"flags":0}]},
 {"timestamp":3,"frames":[{"sourceID":2,"line":6,"column":3,"flags":0},{"sourceID":2,"line":7,"column":20,"flags":0}]},
 {"timestamp":4,"frames":[{"sourceID":2,"line":7,"column":20,"flags":0}]}]}`

const geckoText = `{"meta":{"version":30},"threads":[{"samples":{"schema":{},"data":[]},"stackTable":{"schema":{},"data":[]},"frameTable":{"schema":{},"data":[]},"stringTable":[]}],
 "processes":[{"meta":{"categories":[{"name":"Idle"},{"name":"JavaScript"},{"name":"GC / CC"}]},"threads":[{
 "stringTable":["(root)","script (http://127.0.0.1:8000/AB/bundle.js:1:1)[6]","Box (http://127.0.0.1:8000/AB/bundle.js:7:14)[6]","outer (http://127.0.0.1:8000/AB/bundle.js:4:15)[6]","inner (http://127.0.0.1:8000/AB/bundle.js:1:15)[6]","fields (http://127.0.0.1:8000/AB/bundle.js:6:3)","0x1234","GC","f (http://127.0.0.1:8000/AB/page.js:1:1)"],
 "frameTable":{"schema":{"location":0,"line":1,"column":2,"category":3},"data":[[0],[1,9,1,1],[2,7,20,1],[3,4,22,1],[4,2,3,1],[5,6,3,1],[6,null,null,null],[7,null,null,2],[8,1,1,1]]},
 "stackTable":{"schema":{"prefix":0,"frame":1},"data":[[null,0],[0,8],[1,1],[2,2],[3,3],[4,4],[3,5],[5,6],[5,7],[5,8]]},
 "samples":{"schema":{"stack":0,"time":1},"data":[[2,1],[9,1.5],[5,2],[7,3],[8,4],[6,5],[3,6],[0,7]]}}]}]}`

const chromiumText = `{"interval":10,"trace":{"resources":["http://x/page.js","http://127.0.0.1:8000/AB/bundle.js"],
 "frames":[{"name":"page","resourceId":0,"line":1,"column":1},{"name":"","resourceId":1,"line":1,"column":1},{"name":"Box","resourceId":1,"line":7,"column":14},{"name":"outer","resourceId":1,"line":4,"column":15},{"name":"inner","resourceId":1,"line":1,"column":15},{"name":"sort"},{"name":"","resourceId":1,"line":6,"column":3}],
 "stacks":[{"frameId":0},{"parentId":0,"frameId":1},{"parentId":1,"frameId":2},{"parentId":2,"frameId":3},{"parentId":3,"frameId":4},{"parentId":4,"frameId":5},{"parentId":2,"frameId":6},{"parentId":4,"frameId":0}],
 "samples":[{"timestamp":1},{"timestamp":2,"stackId":1},{"timestamp":2.5,"stackId":7},{"timestamp":3,"stackId":4},{"timestamp":4,"stackId":5},{"timestamp":5},{"timestamp":6,"stackId":6},{"timestamp":7,"stackId":2}]}}`

// All samplers' outputs of the same run give the same profile: inner twice, once in
// a builtin; the constructor twice, once for its field; the top level. A page's
// printing is charged to no function.
func TestRead(t *testing.T) {
	for name, text := range whole {
		r := newRecording(sourceScript(t))
		if err := readers[name]([]byte(text), r); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		p, err := r.profile(profile.Meta{Interval: 1})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []string
		for _, row := range view.Flat(p) {
			if row.Name != profile.NameGC && row.Name != profile.NameIdle && row.Name != profile.NameProgram {
				got = append(got, fmt.Sprintf("%s:%d %d", row.Name, row.Line, row.Self))
			}
		}
		want := "Box:7 2, inner:1 2, (top level):1 1, outer:4 0"
		if s := strings.Join(got, ", "); s != want {
			t.Errorf("%s: %s, want %s", name, s, want)
		}
	}
}

// Contradictory profiles are rejected.
func TestReadRefuses(t *testing.T) {
	for _, c := range []struct{ reader, text, want string }{
		{"v8", `{"nodes":[{"id":1,"children":[1]}]}`, "child 1"},
		{"v8", `{"nodes":[{"id":1}],"samples":[2],"timeDeltas":[1]}`, "of no node"},
		{"v8", `{"nodes":[{"id":1}],"samples":[1],"timeDeltas":[]}`, "0 times"},
		{"v8", `{"nodes":[{"id":1,"hitCount":1}],"samples":[1],"timeDeltas":[1e300]}`, "out of range"},
		{"jsc", `{"traces":[`, "unexpected end"},
		{"spidermonkey", strings.ReplaceAll(geckoText, "bundle.js", "other.js"), "it has no thread that ran the program"},
		{"spidermonkey", `{"meta":{"version":30},"threads":[]}`, "threads: none"},
		{"spidermonkey", `{"meta":{"version":30},"threads":[{"stringTable":["x"],"frameTable":{"schema":{"location":0},"data":[[0]]},"stackTable":{"schema":{"prefix":0,"frame":1},"data":[[0,0]]}}]}`, "is its own caller"},
		{"spidermonkey", `{"meta":{"version":30},"threads":[{"stackTable":{"schema":{"prefix":0,"frame":1},"data":[[null,7]]}}]}`, "7 is not one of 0 frames"},
		{"chromium", `{"error":"this browser has no Profiler"}`, "no Profiler"},
		{"chromium", `{"trace":{"stacks":[{"frameId":3}],"samples":[]}}`, "not one of the 0 frames"},
		{"chromium", `{"trace":{"frames":[{}],"stacks":[{"parentId":0,"frameId":0}],"samples":[]}}`, "is its own parent"},
		{"chromium", `{"trace":{"samples":[{"timestamp":1,"stackId":0}]}}`, "0 is not one of 0"},
		{"goja", `nonsense`, "goja's profile"},
	} {
		if err := readers[c.reader]([]byte(c.text), newRecording(sourceScript(t))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s of %s: %v", c.reader, c.text, err)
		}
	}
}

// readWhatever checks that no text makes a reader crash or return a contradictory
// profile.
func readWhatever(t *testing.T, script *instrumented.Script, name string, text []byte) {
	r := newRecording(script)
	if readers[name](text, r) != nil {
		return
	}
	if _, err := r.profile(profile.Meta{}); err != nil {
		t.Errorf("%s: %v\n%s", name, err, text)
	}
}

var whole = map[string]string{"v8": v8Text, "jsc": jscText, "spidermonkey": geckoText, "chromium": chromiumText}

// Texts with changed numbers, and with pieces lost or doubled.
func TestReadDamaged(t *testing.T) {
	script := sourceScript(t)
	random := rand.New(rand.NewPCG(1, 2))
	numbers := []string{"-1", "0", "1", "7", "1e9", "1e300", "-1e300", "4294967296", "null", `"a"`, "[]"}
	for name, text := range whole {
		for range 2000 {
			damaged := []byte(text)
			for range 1 + random.IntN(3) {
				from := random.IntN(len(damaged))
				to := min(len(damaged), from+random.IntN(12))
				switch random.IntN(4) {
				case 0:
					damaged = slices.Delete(damaged, from, to)
				case 1:
					damaged = slices.Insert(damaged, from, bytes.Clone(damaged[from:to])...)
				default:
					if digits := number.FindIndex(damaged[from:]); digits != nil {
						damaged = slices.Replace(damaged, from+digits[0], from+digits[1], []byte(numbers[random.IntN(len(numbers))])...)
					}
				}
			}
			readWhatever(t, script, name, damaged)
		}
	}
}

var number = regexp.MustCompile(`\d+`)

func FuzzRead(f *testing.F) {
	for name, text := range whole {
		f.Add(name, []byte(text))
	}
	script := sourceScript(f)
	f.Fuzz(func(t *testing.T, name string, text []byte) {
		if readers[name] == nil {
			t.Skip()
		}
		readWhatever(t, script, name, text)
	})
}
