package wicg_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/fieldprof/fieldprof/profile/format/wicg"
	"github.com/fieldprof/fieldprof/profile/view"
)

func ExampleRead() {
	p, err := wicg.Read(strings.NewReader(`{
		"resources": ["https://a.example/app.js"],
		"frames": [{"name": "render", "resourceId": 0, "line": 12, "column": 17}],
		"stacks": [{"frameId": 0}],
		"samples": [{"timestamp": 500, "stackId": 0}, {"timestamp": 510, "stackId": 0}, {"timestamp": 520}]
	}`))
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range view.Flat(p) {
		fmt.Println(row.Name, row.SelfTime)
	}
	// Output:
	// render 20ms
	// (idle) 10ms
}
