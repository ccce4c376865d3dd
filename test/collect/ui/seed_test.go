package ui

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/functable"
	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

// noon is when the collector's clock stands still.
var noon = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

const page = "https://shop.example"

// sources are the functions of the shop, each on a line of its own in the deployed file.
var sources = []struct {
	name, file string
	line       int32
	ignored    bool
}{
	{"start", "src/main.ts", 3, false},
	{"hydrate", "src/main.ts", 18, false},
	{"renderRoot", "node_modules/react-dom/react-dom.js", 812, true},
	{"beginWork", "node_modules/react-dom/react-dom.js", 3921, true},
	{"commitWork", "node_modules/react-dom/react-dom.js", 5102, true},
	{"Cart", "src/cart/cart.tsx", 12, false},
	{"priceBasket", "src/cart/price.ts", 7, false},
	{"formatMoney", "src/cart/money.ts", 4, false},
	{"ProductList", "src/list/list.tsx", 9, false},
	{"sortProducts", "src/list/sort.ts", 21, false},
	{"compareByRank", "src/list/sort.ts", 40, false},
	{"readCatalogue", "src/data/catalogue.ts", 33, false},
	{"decode", "src/data/catalogue.ts", 71, false},
	{"Search", "src/search/search.tsx", 15, false},
	{"matchWords", "src/search/match.ts", 5, false},
	{"onClick", "src/main.ts", 44, false},
}

// stacks are what the shop does on each route: functions by their index, the outermost first,
// and their ticks in a minute.
var stacks = map[string][]struct {
	of    []int
	ticks int
}{
	"/":         {{[]int{0, 1, 2, 3}, 40}, {[]int{0, 1, 2, 3, 8}, 25}, {[]int{0, 1, 11, 12}, 30}, {[]int{0, 1, 2, 4}, 18}},
	"/list":     {{[]int{15, 2, 3, 8, 9}, 60}, {[]int{15, 2, 3, 8, 9, 10}, 90}, {[]int{15, 2, 4}, 35}, {[]int{0, 11, 12}, 20}},
	"/cart":     {{[]int{15, 2, 3, 5, 6}, 45}, {[]int{15, 2, 3, 5, 6, 7}, 22}, {[]int{15, 2, 4}, 12}},
	"/search":   {{[]int{15, 13, 14}, 55}, {[]int{15, 13, 9, 10}, 30}, {[]int{15, 2, 3}, 20}},
	"/checkout": {{[]int{15, 5, 6, 7}, 30}, {[]int{15, 2, 4}, 8}},
}

// fill gives a store a day of a shop in three releases; the last one sorts more slowly.
func fill(t *testing.T, s store.Store) {
	t.Helper()
	dice := rand.New(rand.NewPCG(1, 2))
	browsers := [][3]string{{"Chromium", "Windows", "desktop"}, {"Firefox", "Linux", "desktop"}, {"WebKit", "iOS", "mobile"}}
	routes := []string{"/list", "/", "/cart", "/list", "/", "/search", "/list", "/cart", "/checkout", "/"}
	var chunks []*record.Chunk
	for i := range 360 {
		at := noon.Add(-24*time.Hour + time.Duration(i)*4*time.Minute)
		release := []string{"2.3.0", "2.3.1", "2.4.0"}[min(2, i/130)]
		route, b := routes[i%len(routes)], browsers[dice.IntN(len(browsers))]
		labels := record.Labels{record.Release: release, record.Route: route, record.Browser: b[0], record.OS: b[1], record.Device: b[2], "x-plan": []string{"free", "paid"}[dice.IntN(2)]}
		chunks = append(chunks, chunkOf(i, at, labels, dice))
	}
	must.Get(s.Write(t.Context(), record.IDOf("batch"), chunks))(t)
	for _, release := range []string{"2.3.0", "2.3.1", "2.4.0"} {
		table := tableOf(t)
		must.Do(t, s.PutFile(t.Context(), store.File{App: "shop", Release: release, Name: "assets/app.js.functions.json", Kind: store.FileTable, Size: int64(len(table)), Uploaded: noon.Add(-24 * time.Hour)}, table))
	}
}

func chunkOf(i int, at time.Time, labels record.Labels, dice *rand.Rand) *record.Chunk {
	series := record.Series{App: "shop", Rate: 0.01, Interval: 10 * time.Millisecond, Labels: labels}
	id, view := record.IDOf("chunk", fmt.Sprint(i)), record.IDOf("view", fmt.Sprint(i))
	whole := recorded(labels[record.Route], labels[record.Release], dice, 1)
	inp := time.Duration(80 * math.Exp(1.2*dice.NormFloat64()) * float64(time.Millisecond))
	if labels[record.Route] == "/list" {
		inp *= 4
	}
	c := &record.Chunk{ID: id, Series: series, Source: "fieldprof", At: at, Observed: time.Minute, View: view, Profile: record.Sum(whole),
		Counts: &record.Counts{Interactions: 12, Slow: map[profile.What]int64{profile.Interaction: int64(dice.IntN(3))}, LongTasks: int64(dice.IntN(6)), INP: inp, P75: inp / 2}}
	if i%12 == 0 {
		c.Example = record.EncodeProfile(whole)
	}
	if labels[record.Route] != "/" && i%3 == 0 {
		c.Slices = append(c.Slices, sliceOf(series, id, view, at, labels, dice))
	}
	return c
}

// sliceOf is a click that took a while.
func sliceOf(series record.Series, chunk, view record.ID, at time.Time, labels record.Labels, dice *rand.Rand) record.Slice {
	targets := map[string]string{"/list": "button#sort", "/cart": "button#add", "/search": "input#query", "/checkout": "button#pay"}
	series.Slow = true
	trace := recorded(labels[record.Route], labels[record.Release], dice, 0.2)
	mark := profile.Mark{What: profile.Interaction, Name: "click", Target: targets[labels[record.Route]], Duration: trace.Meta.Duration, InputDelay: 8 * time.Millisecond, Presentation: 16 * time.Millisecond}
	mark.Processing = mark.Duration - mark.InputDelay - mark.Presentation
	trace.Marks = []profile.Mark{mark}
	return record.Slice{ID: record.IDOf("slice", chunk.String()), Series: series, At: at, View: view, Mark: mark, Trace: record.EncodeProfile(trace)}
}

// recorded is a profile of a route, in the coordinates of the deployed file.
func recorded(route, release string, dice *rand.Rand, part float64) *profile.Profile {
	b := profile.Builder{Meta: profile.Meta{Program: page, Interval: 10 * time.Millisecond}}
	tick := int64(0)
	for _, s := range stacks[route] {
		n := part * float64(s.ticks) * (0.9 + 0.2*dice.Float64())
		if release == "2.4.0" && s.of[len(s.of)-1] == 10 {
			n *= 2.2
		}
		stack := profile.NoStack
		for _, of := range s.of {
			line := int32(of + 2)
			f := b.Function(profile.Function{Name: string(rune('a' + of)), File: page + "/assets/app.js", Line: line, Column: 9, Flags: profile.Checked})
			stack = b.Stack(stack, b.Frame(f, line, 30))
		}
		for range int(n) {
			tick++
			b.Add(profile.Sample{Time: tick * int64(10*time.Millisecond), Stack: stack, Kind: profile.Own}, 1)
		}
	}
	b.Meta.Duration = time.Duration(tick) * 10 * time.Millisecond
	return b.Profile()
}

// tableOf is the function table of the deployed file.
func tableOf(t *testing.T) []byte {
	t.Helper()
	table := functable.Table{File: "assets/app.js", Functions: []functable.Function{{Kind: functable.Script, Start: functable.Position{Line: 1, Column: 1}, End: functable.Position{Line: 100, Column: 1}, Definition: functable.Position{Line: 1, Column: 1}, Parent: -1}}}
	for i, s := range sources {
		line := int32(i + 2)
		table.Functions = append(table.Functions, functable.Function{Name: string(rune('a' + i)), Kind: functable.Declaration, Start: functable.Position{Line: line, Column: 1}, End: functable.Position{Line: line, Column: 900}, Definition: functable.Position{Line: line, Column: 9}, Statements: 9, Sites: functable.Entry | functable.Loop | functable.Exit, Ignored: s.ignored,
			Original: &functable.Original{Source: s.file, Name: s.name, Position: functable.Position{Line: s.line, Column: 1}}})
	}
	return must.Get(table.Encode())(t)
}
