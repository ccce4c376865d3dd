package builddir

import (
	"encoding/json"
	"io/fs"
	"slices"

	"github.com/fieldprof/fieldprof/runtime"
)

// manifest marks an output as ours and says what is in it.
type manifest struct {
	Version int    `json:"version"`
	Preset  string `json:"preset"`
	Form    string `json:"form"`
	// Sample is the share of sessions the profiled variant is for; 0 when the
	// tree itself is the profiled one.
	Sample float64 `json:"sample,omitempty"`
	// Train: the build counts its sites.
	Train   bool     `json:"train,omitempty"`
	Scripts []string `json:"scripts"` // what has checks; X has its function table at X.functions.json
	Pages   []string `json:"pages"`
	// Ours distinguishes what the run wrote from what others have added since.
	Ours []string `json:"ours"`
}

func (w *work) writeManifest() error {
	m := manifest{Version: 1, Preset: w.Preset.String(), Form: w.Form.String(), Sample: w.Sample, Train: w.Train, Scripts: []string{}, Pages: []string{}, Ours: w.ours()}
	for _, s := range w.scripts {
		if s.done.changed {
			m.Scripts = append(m.Scripts, s.path)
		}
	}
	for _, p := range w.pages {
		if p.done.changed {
			m.Pages = append(m.Pages, p.path)
		}
	}
	data, err := json.MarshalIndent(&m, "", "\t")
	if err != nil {
		return err
	}
	return w.writeOut(manifestPath, append(data, '\n'), w.modeOf(manifestPath, nil))
}

// writeRuntime puts the runtime into the output, without live.js, which only `instrument
// serve` gives to pages. The package.json makes Node read checks.js as a module, whatever
// the tree around it says.
func (w *work) writeRuntime() error {
	entries, err := fs.ReadDir(runtime.Files(), ".")
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if entry.Name() == "live.js" {
			continue
		}
		if err := w.put(Folder+"/"+entry.Name(), w.runtimeFile(entry.Name()), nil); err != nil {
			return err
		}
	}
	return w.put(Folder+"/package.json", []byte("{\"type\":\"module\"}\n"), nil)
}

// runtimeFile is a file of the runtime, as it is deployed.
func (w *work) runtimeFile(name string) []byte {
	text := runtime.Counting
	if !w.Train || !slices.Contains(counters, name) {
		text = runtime.Configure(runtimeText(name), w.Runtime)
	}
	if w.Sample > 0 && name == "runtime.js" {
		text = slices.Concat(text, []byte(cleanNames))
	}
	return text
}

// counters are the files in whose place a counting build has what counts.
var counters = []string{"runtime.js", "module.js", "checks.js", "checks.mjs", "checks.cjs"}

// runtimeText is a file of the runtime.
func runtimeText(name string) []byte {
	data, err := fs.ReadFile(runtime.Files(), name)
	if err != nil {
		panic(err) // it is part of this program
	}
	return data
}
