package server

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/collect/config"
	"github.com/fieldprof/fieldprof/internal/must"
)

// A restore that fails leaves nothing that keeps the next try out.
func TestRestoreAgain(t *testing.T) {
	folder := t.TempDir()
	in := func(name string) string { return filepath.Join(folder, name) }
	live := &config.Config{Data: in("live")}
	must.Get(live.AddKeys())(t)
	live.SetDefaults()
	kept := must.Get(openStore(t.Context(), live))(t)
	must.Do(t, kept.Close())
	must.Do(t, Backup(t.Context(), live, in("monday")))
	must.Do(t, os.Mkdir(in("damaged"), 0o700))
	for name, text := range map[string]string{storeFile: strings.Repeat("no store ", 1000), config.KeysFile: "apps: []"} {
		must.Do(t, os.WriteFile(filepath.Join(in("damaged"), name), []byte(text), 0o600))
	}

	for _, store := range []string{"", "sqlite:" + in("elsewhere/store.sqlite")} {
		t.Run(store, func(t *testing.T) { restoreAgain(t, in, store) })
	}
}

func restoreAgain(t *testing.T, in func(string) string, store string) {
	must.Do(t, os.RemoveAll(in("new")))
	must.Do(t, os.MkdirAll(in("new/lost+found"), 0o700)) // an empty volume
	to := func() *config.Config { return &config.Config{Data: in("new"), Store: store} }
	for _, from := range []string{"mondai", "damaged"} {
		if err := Restore(t.Context(), to(), in(from)); err == nil || strings.Contains(err.Error(), "not empty") {
			t.Errorf("%s: %v", from, err)
		}
	}
	must.Do(t, Restore(t.Context(), to(), in("monday")))
	must.Equal(t, string(must.Get(os.ReadFile(in("new/keys.yaml")))(t)), string(must.Get(os.ReadFile(in("live/keys.yaml")))(t)))
	if err := Restore(t.Context(), to(), in("monday")); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Error(err)
	}
}
