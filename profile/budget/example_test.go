package budget_test

import (
	"fmt"
	"os"
	"time"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/budget"
)

const budgets = `
budgets:
  - name: parsing
    sources: src/parser/**
    max: 25%
`

func Example() {
	file, err := budget.Read([]byte(budgets))
	if err != nil {
		fmt.Println("budgets.yaml:" + err.Error())
		return
	}
	// A profile, which would come from profile/format.
	var b profile.Builder
	b.Meta.Interval = time.Millisecond
	for source, ticks := range map[string]int{"src/parser/next.ts": 300, "src/main.ts": 700} {
		stack := b.Stack(profile.NoStack, b.Frame(b.Function(profile.Function{Name: "next", File: source}), 1, 1))
		for range ticks {
			b.Sample(profile.Sample{Stack: stack, Weight: 1})
		}
	}
	result, err := budget.Check(file, b.Profile())
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = result.WriteText(os.Stdout)
	// Output:
	// measured  margin    max  over by  of    budget
	//    30.0%   ± 2.8  25.0%     5.0%  self  parsing  BROKEN
	// 1 of 1 budgets broken (1 profile, 1000 ms busy)
}
