package runtime

import (
	"bytes"
	"encoding/json"
)

// Options are a deployer's settings of the runtime in pages. The zero Options leave
// everything to the runtime.
type Options struct {
	// Prefer says which Profiler a page gets in a browser that has its own: "native",
	// the browser's if the document may use it (the default), or "polyfill", always ours.
	Prefer string `json:"prefer,omitempty"`
	// Clock says where ticks come from: "shared" memory, checks that "poll", or
	// "auto", which is shared memory if available (the default).
	Clock string `json:"clock,omitempty"`
	// Tables says when profiled pages fetch function tables: "early", as soon as a profile
	// shows which scripts run (the default), "late", with the first trace, or "none": traces
	// then have the engine's names and deployed positions, and their readers need the tables.
	Tables string `json:"tables,omitempty"`
	// Base is the unit of sample intervals, in milliseconds; 0: 10, as in Chromium.
	Base float64 `json:"base,omitempty"`
	// MaxOverhead ends a profile that takes more than so many percent of the time that the page
	// is busy; 0: none does.
	MaxOverhead float64 `json:"maxOverhead,omitempty"`
	// ObeyPolicy gives our Profiler to no document that a browser with its own refuses it, for
	// lack of a Document-Policy. In browsers without one nothing is refused.
	ObeyPolicy bool `json:"-"`
	// WrapWorkers wraps Worker, so that workers from blob: and data: URLs have the runtime.
	WrapWorkers bool `json:"-"`
	// Folder is the folder of the runtime's other files, as a URL relative to the script
	// that holds the runtime, ending in a slash; empty: the same folder.
	Folder string `json:"-"`
}

// placeholder is replaced by the options in runtime.js and module.js (src/api/install.ts),
// partsFile is the URL of the file that a profile loads, runtimeFile the URL of the one that wrapped
// workers load.
var (
	placeholder = []byte(`"fieldprof options"`)
	partsFile   = []byte(`"trace.js"`)
	runtimeFile = []byte(`"runtime.js"`)
)

// Configure puts options into a script of Files. A script without a place for them is
// returned unchanged. Pages treat unknown values as absent.
func Configure(script []byte, o Options) []byte {
	if o == (Options{}) || !bytes.Contains(script, placeholder) {
		return script
	}
	object, err := json.Marshal(o)
	if err != nil {
		return script // an infinite Base: as good as none
	}
	configured := bytes.Replace(script, placeholder, object, 1)
	configured = o.locate(configured, partsFile, "trace.js")
	if o.ObeyPolicy {
		configured = add(configured, "policy.js")
	}
	if o.WrapWorkers {
		configured = o.locate(add(configured, "workers.js"), runtimeFile, "runtime.js")
	}
	return configured
}

// add puts a file of the additions after a script, on the same line, since another script may
// carry it all before its own first line.
func add(script []byte, name string) []byte {
	text, err := additions.ReadFile("additions/" + name)
	if err != nil {
		panic(err) // the folder is embedded
	}
	return append(bytes.TrimRight(script, "\n"), text...)
}

// locate puts the location of a file of the runtime into a script.
func (o *Options) locate(script, placeholder []byte, name string) []byte {
	url, _ := json.Marshal(o.Folder + name) // a string
	return bytes.Replace(script, placeholder, url, 1)
}
