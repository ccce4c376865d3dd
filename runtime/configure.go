package runtime

import (
	"bytes"
	"encoding/json"
)

// Options are what a deployer decides for the runtime of a page. The zero
// Options leave everything to the runtime.
type Options struct {
	// Prefer says which Profiler a page gets in a browser that has one of its
	// own: "native", that one where the document may use it (the default), or
	// "polyfill", always ours.
	Prefer string `json:"prefer,omitempty"`
	// Clock says where ticks come from: "shared" memory, checks that "poll", or
	// "auto", which is shared memory where there is some (the default).
	Clock string `json:"clock,omitempty"`
	// Base is what sample intervals are multiples of, in milliseconds; 0: 10, as
	// in Chromium.
	Base float64 `json:"base,omitempty"`
	// Folder is where the runtime's other files are, as a URL from the script that
	// holds the runtime, with a slash behind it; empty: beside it.
	Folder string `json:"-"`
}

// placeholder stands in runtime.js and module.js where options go
// (src/install.ts), partsFile where the file that a profile loads is.
var (
	placeholder = []byte(`"fieldprof options"`)
	partsFile   = []byte(`"trace.js"`)
)

// Configure gives a script of Files with options in it. A script that takes none
// comes back as it is. The page treats values that it does not know as absent.
func Configure(script []byte, o Options) []byte {
	if o == (Options{}) || !bytes.Contains(script, placeholder) {
		return script
	}
	object, err := json.Marshal(o)
	if err != nil {
		return script // an infinite Base: as good as none
	}
	configured := bytes.Replace(script, placeholder, object, 1)
	if o.Folder != "" {
		url, _ := json.Marshal(o.Folder + "trace.js") // a string
		configured = bytes.Replace(configured, partsFile, url, 1)
	}
	return configured
}
