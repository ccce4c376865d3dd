package view_test

import (
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

	p := profile.Attribute(b.Profile(), profile.Design)
	_ = view.WriteTop(os.Stdout, p, 10)
	_ = view.WriteHealth(os.Stdout, p)
	// Output:
	// self ms   self  total ms  total  samples  function  where
	//     6.0  60.0%       6.0  60.0%        1  parse     app.ts:8
	//     3.0  30.0%       3.0  30.0%        1  (idle)
	//     1.0  10.0%       7.0  70.0%        1  main      app.ts:1
	// 10 ticks in 10ms at 1ms, 3 samples
}
