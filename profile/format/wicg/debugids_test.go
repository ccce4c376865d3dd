package wicg

import (
	"bytes"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// Debug ids come from a page: of our own trace, or beside a trace that the browser made.
func TestDebugIDs(t *testing.T) {
	const ids = `"debugIds":{"https://x/a.js":"85314830-023f","https://x/b.js":"<script>"}`
	const columns = `"resources":["https://x/a.js"],"frames":[{"name":"f","resourceId":0}],"stacks":[{"frameId":0}],"samples":[{"timestamp":1,"stackId":0}]`
	for _, text := range []string{
		`{` + columns + `,"fieldprof":{"version":1,` + ids + `}}`,
		`{"version":1,"session":"s","page":"https://x/",` + ids + `,"trace":{` + columns + `}}`,
	} {
		p := must.Get(Read(strings.NewReader(text)))(t)
		check := func(p *profile.Profile) {
			if len(p.Meta.DebugIDs) != 1 || p.Meta.DebugIDs["https://x/a.js"] != "85314830-023f" {
				t.Errorf("%s: ids %v", text, p.Meta.DebugIDs)
			}
		}
		check(p)
		var written bytes.Buffer
		must.Do(t, Write(&written, p))
		must.Equal(t, bytes.Count(written.Bytes(), []byte("85314830-023f")), 1, written.String())
		check(must.Get(Read(&written))(t))
	}
}
