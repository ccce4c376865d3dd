package texts

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// places are forms of code around which checks are inserted; X marks where other code goes.
var places = []string{
	"a=>X", "a=>[X]", "function(){return X}", "function(){return [X]}", "function(){return a,X}", "a=>{while(a)return X}", "function(){for(;;)f(X)}",
	"async()=>await X", "async a=>{return await [X]}", "function*(){yield X}", "async function*(){return yield [X]}",
}

// unbalanced are brackets that close nothing, and that nothing closes.
var unbalanced = []string{`"("`, `")"`, `")("`, `")}({{"`, "a/*)*/", "/[)}]+/", "`{`"}

// Functions within functions show the text of their source where there are brackets in
// it that are none: each place that has checks around it counts them.
func TestNestedTexts(t *testing.T) {
	input, done := startNode(t, "testdata/shown.mjs")
	encoder := json.NewEncoder(input)
	for i, value := range unbalanced {
		var src strings.Builder
		for k, outer := range places {
			for l, middle := range places {
				inner := strings.Replace(places[(k+l)%len(places)], "X", value, 1)
				middle = strings.Replace(middle, "X", "("+inner+")", 1)
				fmt.Fprintf(&src, "x=%s;\n", strings.Replace(outer, "X", middle, 1))
			}
		}
		for _, w := range ways() {
			if strings.HasPrefix(w.name, "classic") {
				continue // these are too short for it
			}
			j, _, ok := newJob(fmt.Sprintf("nested-%d.js", i), []byte(src.String()), w)
			if !ok {
				t.Fatalf("%s, %s: not instrumented", value, w.name)
			}
			must.Do(t, encoder.Encode(j))
		}
	}
	input.Close()
	t.Log(done())
}
