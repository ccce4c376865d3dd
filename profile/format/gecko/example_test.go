package gecko_test

import (
	"fmt"
	"log"
	"os"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/gecko"
	"github.com/fieldprof/fieldprof/profile/view"
)

// The time of native code is its caller's, once its frames are folded.
func ExampleRead() {
	file, err := os.Open("testdata/firefox/startup.json")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	p, err := gecko.Read(file)
	if err != nil {
		log.Fatal(err)
	}
	scripts := profile.Fold(p, func(f profile.Function) bool { return f.Flags&profile.NativeCode != 0 })
	shown := 0
	for _, row := range view.Flat(scripts) {
		if row.File == "file:///app/work.js" && row.Self > 0 && shown < 3 {
			fmt.Println(row.Name, row.Line)
			shown++
		}
	}
	// Unordered output:
	// sortNumbers 3
	// fibonacci 2
	// joinText 8
}
