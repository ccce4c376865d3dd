package alert

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/fieldprof/fieldprof/internal/outfile"
)

// remembered is a budget in the state file.
type remembered struct {
	App    string    `json:"app"`
	Budget string    `json:"budget"`
	Broken bool      `json:"broken"`
	Told   bool      `json:"told"`
	Since  time.Time `json:"since"`
}

// load reads the state file. If it cannot be read, the collector still receives profiles, and webhooks are
// told again.
func (w *Watcher) load() {
	if w.State == "" || len(w.apps) == 0 {
		return
	}
	data, err := os.ReadFile(w.State)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	var list []remembered
	if err == nil {
		if err = json.Unmarshal(data, &list); err != nil {
			list, err = nil, errors.Join(err, os.Rename(w.State, w.State+".broken"))
		}
	}
	if err != nil {
		w.Log.Warn("what webhooks were told cannot be read: they are told again", "file", w.State, "error", err)
	}
	for _, r := range list {
		for _, a := range w.apps {
			for _, s := range a.budgets {
				if a.Name == r.App && s.Name == r.Budget && !s.measured {
					s.Broken, s.told, s.Since, s.measured = r.Broken, r.Told, r.Since, true
					break // the next one of this name has its own line
				}
			}
		}
	}
}

// save writes the state file, completely or not at all.
func (w *Watcher) save() error {
	if w.State == "" {
		return nil
	}
	list := []remembered{}
	for _, a := range w.apps {
		for _, s := range a.budgets {
			if s.measured {
				list = append(list, remembered{a.Name, s.Name, s.Broken, s.told, s.Since})
			}
		}
	}
	data, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return outfile.WriteSecret(w.State, data)
}
