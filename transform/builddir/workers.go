package builddir

import (
	"bytes"
	"regexp"
	"strings"
)

// Bundlers write workers without import or export, and start them as modules
// all the same. In a module worker importScripts throws: only an import can load
// the runtime there, which in a classic one is a syntax error. So it matters who
// starts a worker how, and scripts say it next to each other:
//
//	new Worker(new URL("/assets/worker-1.js",import.meta.url),{type:"module"})
//	navigator.serviceWorker.register("./sw.js",{type:"module"})

var (
	typeModule  = regexp.MustCompile("^[^;]*?\\btype[\"'`]?\\s*:\\s*[\"'`]module[\"'`]")
	scriptNamed = regexp.MustCompile("[\"'`]([^\"'`\\s]+\\.m?js(?:\\?[^\"'`\\s]*)?)[\"'`]")
)

// startReach is how far behind the call its options are looked for.
const startReach = 512

// startedModules gives the URLs of the module workers that a script starts, as
// far as they stand in the call.
func startedModules(src []byte) []string {
	var found []string
	for _, call := range []string{"Worker(", ".register("} {
		for rest := src; ; {
			at := bytes.Index(rest, []byte(call))
			if at < 0 {
				break
			}
			rest = rest[at+len(call):]
			arguments := typeModule.Find(rest[:min(len(rest), startReach)])
			for _, name := range scriptNamed.FindAllSubmatch(arguments, -1) {
				found = append(found, string(name[1]))
			}
		}
	}
	return found
}

// markModules marks what the scripts and pages at a path start as module
// workers. A URL may be relative to the script, or to the page it runs in: then
// its end must do.
func (w *work) markModules(from string, urls []string) {
	for _, u := range urls {
		at, ok := w.locate(from, u)
		if !ok || w.scriptAt[w.tree.resolve(at)] == nil {
			at, ok = w.locate(from, "/"+strings.TrimLeft(u, "./"))
		}
		if s := w.scriptAt[w.tree.resolve(at)]; ok && s != nil {
			s.asModule, s.inWorker = true, true
		}
	}
}
