package builddir

import (
	"bytes"
	"regexp"
	"strings"
)

// Bundlers write workers without import or export, and start them as modules all the
// same. In a module worker importScripts throws, so only an import can load the runtime
// there, which is a syntax error in a classic worker. So it matters how a worker is
// started, and scripts show that in the call:
//
//	new Worker(new URL("/assets/worker-1.js",import.meta.url),{type:"module"})
//	navigator.serviceWorker.register("./sw.js",{type:"module"})

// scriptNamed is a string that is the URL of a script.
var scriptNamed = regexp.MustCompile("^[^\\s\\\\\"'`]+\\.m?js(?:\\?[^\\s\\\\\"'`]*)?$")

// startReach is how many bytes the arguments of a call may take.
const startReach = 1024

// starts are the URLs of the workers that a script starts, as far as the call contains
// them: as modules, as classic scripts, and if the call does not say.
type starts struct {
	modules, classics, either []string
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
			found.add(rest[:min(len(rest), startReach)], call == "Worker(")
		}
	}
	return found
}

// add reads the arguments of one call, from just after its parenthesis. A call of
// register that is not for a module may be of something else.
func (s *starts) add(text []byte, isWorker bool) {
	list, ok := readArguments(text)
	if !ok || len(list) == 0 {
		return
	}
	var names []string
	for _, found := range list[0].strings {
		if found.first && scriptNamed.MatchString(found.text) {
			names = append(names, found.text)
		}
	}
	kind := asked(list[1:])
	switch {
	case kind == asModule:
		s.modules = append(s.modules, names...)
	case !isWorker:
	case kind == asClassic:
		s.classics = append(s.classics, names...)
	default:
		s.either = append(s.either, names...)
	}
}

// How a call starts a worker.
type startKind uint8

const (
	asEither startKind = iota // the call does not say
	asClassic
	asModule
)

// asked returns how the arguments after the URL ask for a worker to be started. Options
// may be an object, or several that are merged.
func asked(options []argument) startKind {
	if len(options) == 0 || options[0].empty {
		return asClassic
	}
	o := options[0]
	kind := asEither
	for _, s := range o.strings {
		switch {
		case s.key != "type" || !s.option:
		case s.text == "module":
			return asModule
		case s.text == "classic":
			kind = asClassic
		}
	}
	if o.isName || o.plain && !o.typed {
		kind = asClassic // of a shared worker, the second argument may be its name
	}
	return kind
}

// markStarted marks the scripts that the scripts and pages at a path start workers with.
// A URL may be relative to the script, or to the page it runs in, in which case only
// its end is matched.
func (w *work) markStarted(from string, s starts) {
	mark := func(urls []string, as func(*scriptFile)) {
		for _, u := range urls {
			if started := w.started(from, u); started != nil {
				started.entry = true
				as(started)
			}
		}
	}
	mark(s.modules, func(started *scriptFile) { started.asModule = true })
	mark(s.classics, func(started *scriptFile) { started.asWorker = true })
	mark(s.either, func(*scriptFile) {})
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
