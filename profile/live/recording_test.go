package live

import (
	"encoding/json"
	"testing"

	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/profile"
)

func hello() *Hello {
	return &Hello{Type: TypeHello, Version: Version, ID: "0123456789abcdef", What: "page", Name: "Shop",
		URL: "http://localhost/", Engine: "test", Clocks: []string{"shared", "poll"}, Origin: 1e12}
}

// shop is a script whose functions cover a line each, of which even ones are checked.
func shop(url string) (profile.Script, bool) {
	if url != "http://localhost/app.js" {
		return profile.Script{}, false
	}
	t := &functable.Table{File: url, Functions: []functable.Function{{Kind: functable.Script, Parent: -1,
		Start: functable.Position{Line: 1, Column: 1}, End: functable.Position{Line: 100, Column: 1}}}}
	for line := int32(1); line < 40; line++ {
		f := functable.Function{Name: "f" + string('a'+rune(line%26)), Kind: functable.Declaration,
			Start: functable.Position{Line: line, Column: 2}, End: functable.Position{Line: line, Column: 90}}
		if line%2 == 0 {
			f.Sites = 1
		}
		f.FilledFirst = line%6 == 0
		t.Functions = append(t.Functions, f)
	}
	return profile.Script{Table: t}, true
}

// TestBatch sends one batch and shows what is made of it.
func TestBatch(t *testing.T) {
	data := `{"type":"batch","profile":1,"seq":1,"began":{"time":1000000000005,"interval":1,"clock":"poll"},
		"records":[{"id":2,"name":"x","file":"http://localhost/app.js"},{"id":3,"name":"sort","file":""}],
		"stacks":[-1,2,2,5, 0,2,4,7, 1,3,0,0],
		"samples":{"delta":[1000,500,500],"stack":[1,2,-1],"weight":[1,2,3],"kind":[0,1,3],"skid":[3,4,0]}}`
	m, err := Limits{}.Decode([]byte(data))
	if err != nil {
		t.Fatal(err)
	}
	r := NewRecording(hello(), &Start{Profile: 1, Interval: 10})
	if err := r.Add(m.(*Batch)); err != nil {
		t.Fatal(err)
	}
	p := r.Profile(shop)
	if err := p.CheckValid(); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(NewStream(false, shop).Batch(m.(*Batch)))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s", text)
	t.Logf("%+v", p)
}
