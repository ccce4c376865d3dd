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
	typeModule = regexp.MustCompile("^[^;]*?\\btype[\"'`]?\\s*:\\s*[\"'`]module[\"'`]")
	// firstArgument ends where a call or its first argument must.
	firstArgument = regexp.MustCompile("^[^;,\n]*")
	scriptNamed   = regexp.MustCompile("[\"'`]([^\"'`\\s]+\\.m?js(?:\\?[^\"'`\\s]*)?)[\"'`]")
)

// startReach is how far behind the call its options are looked for.
const startReach = 512

// starts are the URLs of the workers that a script starts, as far as they stand
// in the call.
type starts struct {
	modules, classics []string
}

func startsOf(src []byte) starts {
	var found starts
	for _, call := range []string{"Worker(", ".register("} {
		for rest := src; ; {
			at := bytes.Index(rest, []byte(call))
			if at < 0 {
				break
			}
			rest = rest[at+len(call):]
			reach := rest[:min(len(rest), startReach)]
			if arguments := typeModule.Find(reach); arguments != nil {
				for _, name := range scriptNamed.FindAllSubmatch(arguments, -1) {
					found.modules = append(found.modules, string(name[1]))
				}
			} else if name := scriptNamed.FindSubmatch(firstArgument.Find(reach)); name != nil && call == "Worker(" {
				found.classics = append(found.classics, string(name[1]))
			}
		}
	}
	return found
}

// markStarted marks what the scripts and pages at a path start workers with. A
// URL may be relative to the script, or to the page it runs in: then its end
// must do.
func (w *work) markStarted(from string, s starts) {
	for _, u := range s.modules {
		if started := w.started(from, u); started != nil {
			started.asModule, started.entry = true, true
		}
	}
	for _, u := range s.classics {
		if started := w.started(from, u); started != nil {
			started.entry = true
		}
	}
}

func (w *work) started(from, u string) *scriptFile {
	at, ok := w.locate(from, u)
	if !ok || w.scriptAt[w.tree.resolve(at)] == nil {
		at, ok = w.locate(from, "/"+strings.TrimLeft(u, "./"))
	}
	if !ok {
		return nil
	}
	return w.scriptAt[w.tree.resolve(at)]
}
