package view_test

import (
	"fmt"
	"os"
	"time"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/view"
)

// A recording becomes a table: build, attribute, show.
func Example() {
	var b profile.Builder
	b.Meta = profile.Meta{Interval: time.Millisecond, Duration: 10 * time.Millisecond}
	main := b.Function(profile.Function{Name: "main", File: "app.ts", Line: 1, Column: 10, Flags: profile.Checked})
	parse := b.Function(profile.Function{Name: "parse", File: "app.ts", Line: 8, Column: 10, Flags: profile.Checked})
	calling := b.Stack(profile.NoStack, b.Frame(main, 3, 5))
	parsing := b.Stack(calling, b.Frame(parse, 9, 3))
	b.Sample(profile.Sample{Time: 1e6, Stack: parsing, Weight: 6, Kind: profile.Exit})
	b.Sample(profile.Sample{Time: 8e6, Stack: parsing, Weight: 1, Kind: profile.Entry}) // the caller's time
	b.Sample(profile.Sample{Time: 9e6, Stack: profile.NoStack, Weight: 3, Kind: profile.Idle})

	p := profile.Attribute(b.Profile(), profile.BySite)
	_ = view.WriteTop(os.Stdout, p, 10)
	_ = view.WriteHealth(os.Stdout, p)
	// Output:
	// self ms   self  total ms  total  samples  function  where
	//     6.0  60.0%       6.0  60.0%        1  parse     app.ts:8
	//     3.0  30.0%       3.0  30.0%        1  (idle)
	//     1.0  10.0%       7.0  70.0%        1  main      app.ts:1
	// 10 ticks in 10ms at 1ms, 3 samples
}

// Who calls what, and the other way round.
func ExampleNewTree() {
	var b profile.Builder
	b.Meta.Interval = time.Millisecond
	function := func(name string) profile.FrameID {
		return b.Frame(b.Function(profile.Function{Name: name, File: "app.ts"}), 1, 1)
	}
	render := b.Stack(profile.NoStack, function("render"))
	draw := b.Stack(render, function("draw"))
	b.Sample(profile.Sample{Time: 1e6, Stack: render, Weight: 2})
	b.Sample(profile.Sample{Time: 9e6, Stack: draw, Weight: 7})
	b.Sample(profile.Sample{Time: 10e6, Stack: b.Pseudo(profile.NoStack, profile.NameIdle), Weight: 1})

	tree := view.NewTree(b.Profile(), view.TopDown, view.TreeOptions{})
	_ = view.WriteTree(os.Stdout, tree, 80)
	hottest := view.NewTree(b.Profile(), view.BottomUp, view.TreeOptions{}).Roots[0]
	fmt.Println(hottest.Name, "was called by", hottest.Children[0].Name)
	// Output:
	// total ms  total  self ms   self  function  where
	//      9.0  90.0%      2.0  20.0%  render    app.ts
	//      7.0  70.0%      7.0  70.0%  └ draw    app.ts
	//      1.0  10.0%      1.0  10.0%  (idle)
	// draw was called by render
}

// Which functions have more of the time than before?
func ExampleDiff() {
	profileOf := func(price int32) *profile.Profile {
		var b profile.Builder
		b.Meta.Interval = time.Millisecond
		for name, ticks := range map[string]int32{"price": price, "stock": 500, "taxes": 1000} {
			stack := b.Stack(profile.NoStack, b.Frame(b.Function(profile.Function{Name: name, File: "shop.ts"}), 1, 1))
			for range ticks {
				b.Sample(profile.Sample{Stack: stack, Weight: 1})
			}
		}
		return b.Profile()
	}
	d := view.Diff(profileOf(1500), profileOf(1900), view.DiffOptions{})
	c := d.Functions[0]
	fmt.Printf("%s: from %.1f%% to %.1f%%, ± %.1f\n", c.Name, c.Self.Before, c.Self.After, c.Self.Margin)
	fmt.Println(d.Summary())
	// Output:
	// price: from 50.0% to 55.9%, ± 2.5
	// 2 of 3 functions changed beyond chance (3000 and 3400 samples; of the busy time, in percent)
}
