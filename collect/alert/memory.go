package alert

import (
	"encoding/json"
	"errors"
	"fmt"
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

// load reads the state file.
func (w *Watcher) load() error {
	if w.State == "" {
		return nil
	}
	data, err := os.ReadFile(w.State)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var list []remembered
	if err == nil {
		err = json.Unmarshal(data, &list)
	}
	if err != nil {
		return fmt.Errorf("what webhooks were told: %s: %w; remove the file to tell them again", w.State, err)
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
	return nil
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
