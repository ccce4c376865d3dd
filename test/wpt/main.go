// Command wpt runs the js-self-profiling tests of the web platform against the
// runtime, in Chromium, Firefox and WebKit.
//
//	go run ./test/wpt [flags] DIR
//
// DIR is a checkout of web-platform-tests/wpt, of which it takes
// js-self-profiling, resources, interfaces and common. The suite is served as
// its own server would, but instrumented: every script and inline script below
// js-self-profiling has precise checks and the runtime before it, told to prefer
// ours to the browser's own Profiler and to wrap Worker. All of it is served over
// HTTP from loopback addresses, which browsers hold for secure.
//
// It prints a table of tests and browsers. expected.txt (obeying.txt with
// -obey-policy) lists the expected failures with their reasons. The exit status is
// 1 for any other failure, and for an expected one that did not happen.
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"sync"

	"github.com/fieldprof/fieldprof/test/browser"
)

func main() {
	match := flag.String("run", "", "run the tests whose path matches this `regexp`")
	in := flag.String("browsers", strings.Join(browser.Names(), ","), "the `names` of the browsers")
	serveOnly := flag.Bool("serve", false, "serve the suite until interrupted, and run nothing")
	obeying := flag.Bool("obey-policy", false, "obey a browser whose own Profiler refuses a document (--obey-policy of instrument)")
	verbose := flag.Bool("v", false, "print the message of every failure, expected ones too")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: wpt [flags] DIR, where DIR is a checkout of web-platform-tests/wpt")
		os.Exit(2)
	}
	good, err := run(flag.Arg(0), *match, strings.Split(*in, ","), *obeying, *serveOnly, *verbose)
	if err != nil {
		fmt.Fprintln(os.Stderr, "wpt:", err)
		os.Exit(2)
	}
	if !good {
		os.Exit(1)
	}
}

func run(dir, match string, browsers []string, obeying, serveOnly, verbose bool) (good bool, err error) {
	matches, err := regexp.Compile(match)
	if err != nil {
		return false, err
	}
	failures, err := readExpectations(expectations[obeying])
	if err != nil {
		return false, err
	}
	site, err := openSite(dir, obeying)
	if err != nil {
		return false, err
	}
	defer site.close()
	if serveOnly {
		fmt.Println("serving", site.url+"/js-self-profiling/")
		interrupted := make(chan os.Signal, 1)
		signal.Notify(interrupted, os.Interrupt)
		<-interrupted
		return true, nil
	}
	tests, err := listTests(site.root, matches)
	if err != nil {
		return false, err
	}
	defer browser.Stop()
	found := make([]results, len(browsers))
	var running sync.WaitGroup
	for i, name := range browsers {
		running.Go(func() { found[i] = runIn(name, site.url, tests) })
	}
	running.Wait()
	r := report{tests: tests, browsers: browsers, results: found, expected: failures, whole: match == "", verbose: verbose}
	return r.print(os.Stdout), nil
}

var (
	//go:embed expected.txt
	expected string
	//go:embed obeying.txt
	whenObeying  string
	expectations = map[bool]string{false: expected, true: whenObeying}
)
