// The program of which testdata/go.pprof is a CPU profile (its mapping renamed to "app").
package main

import (
	"fmt"
	"os"
	"runtime/pprof"
	"strings"
)

func fibonacci(n int) int {
	if n < 2 {
		return n
	}
	return fibonacci(n-1) + fibonacci(n-2)
}
func words() (n int) {
	for i := range 20000 {
		n += len(strings.Fields(fmt.Sprintln(i, "a b c", strings.Repeat("x ", 50))))
	}
	return
}

func main() {
	f, _ := os.Create("go.pprof")
	pprof.StartCPUProfile(f)
	fmt.Println(fibonacci(38), words())
	pprof.StopCPUProfile()
	f.Close()
}
