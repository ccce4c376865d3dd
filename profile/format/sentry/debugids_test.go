package sentry

import (
	"bytes"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// Sentry's SDK says the debug ids of scripts; so do we.
func TestDebugIDs(t *testing.T) {
	const chunk = `{"version":"2","debug_meta":{"images":[{"type":"sourcemap","code_file":"https://x/a.js","debug_id":"85314830-023f"},
		{"type":"sourcemap","code_file":"https://x/b.js","debug_id":"<script>"},{"type":"wasm","code_file":"c","debug_id":"ab"}]},
		"profile":{"frames":[{"function":"f","abs_path":"https://x/a.js"}],"stacks":[[0]],"samples":[{"stack_id":0,"thread_id":"0","timestamp":1700000000}]}}`
	p := must.Get(Read(strings.NewReader(chunk)))(t)
	if ids := p.Meta.DebugIDs; len(ids) != 1 || ids["https://x/a.js"] != "85314830-023f" {
		t.Errorf("ids %v", ids)
	}
	var written bytes.Buffer
	must.Do(t, Write(&written, p))
	if want := `"images":[{"type":"sourcemap","code_file":"https://x/a.js","debug_id":"85314830-023f"}]`; !strings.Contains(written.String(), want) {
		t.Errorf("written: %s", written.String())
	}
	must.Equal(t, must.Get(Read(&written))(t).Meta.DebugIDs["https://x/a.js"], "85314830-023f")
}
