package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/test/browser"
)

// listTests gives the paths of the suite's tests that match, as URLs have them.
func listTests(root string, match *regexp.Regexp) ([]string, error) {
	var tests []string
	err := fs.WalkDir(os.DirFS(root), suiteFolder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if path.Base(name) == "resources" {
				return fs.SkipDir
			}
			return nil
		}
		for _, test := range testsIn(name) {
			if match.MatchString(test) {
				tests = append(tests, test)
			}
		}
		return nil
	})
	if err == nil && len(tests) == 0 {
		err = fmt.Errorf("no test of %s matches", suiteFolder)
	}
	return tests, err
}

// testsIn gives the pages that test what is in a file.
func testsIn(name string) []string {
	stem, isScript := strings.CutSuffix(name, ".js")
	switch path.Ext(stem) {
	case ".window", ".worker":
		if isScript {
			return []string{stem + ".html"}
		}
	case ".any":
		if isScript {
			return []string{stem + ".html", stem + ".worker.html"}
		}
	}
	if path.Ext(name) == ".html" {
		return []string{name}
	}
	return nil
}

// outcome is what a page of tests came to.
type outcome struct {
	Status  int // of the harness; 0 is good
	Message string
	Tests   []struct {
		Name    string
		Status  int // 0: it passed
		Message string
	}
}

// results are the outcomes of a browser, by test.
type results struct {
	missing error // why the browser did not run
	of      map[string]outcome
}

// patience is for a page: the longest spin for some three seconds.
const patience = 40 * time.Second

func runIn(name, url string, tests []string) results {
	session, err := browser.Start(name)
	if err != nil {
		return results{missing: err}
	}
	found := results{of: map[string]outcome{}}
	for _, test := range tests {
		var o outcome
		value, err := session.Visit(url+"/"+test, "window.found", patience)
		if err == nil {
			err = json.Unmarshal(value, &o)
		}
		if err != nil {
			o = outcome{Status: -1, Message: err.Error()}
		}
		found.of[test] = o
	}
	return found
}
