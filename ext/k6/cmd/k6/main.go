// Command k6 is k6 with the extension of fieldprof: `k6 run --out fieldprof=out.pb.gz
// script.js` writes where the scripts of virtual users spend their time.
package main

import (
	"go.k6.io/k6/cmd"

	_ "github.com/fieldprof/fieldprof/ext/k6"
)

func main() { cmd.Execute() }
