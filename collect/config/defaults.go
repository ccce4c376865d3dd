package config

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/internal/outfile"
)

const leastMemory = 64 << 20

// SetDefaults fills in what has not been said, apart from apps and tokens.
func (c *Config) SetDefaults() {
	c.Listen = cmp.Or(c.Listen, ":8090")
	c.Data = cmp.Or(c.Data, "fieldprof-data")
	c.Memory = cmp.Or(c.Memory, 448<<20)
	c.Store = cmp.Or(c.Store, "sqlite:"+filepath.Join(c.Data, "store.sqlite"))
	c.Spool.Dir = cmp.Or(c.Spool.Dir, filepath.Join(c.Data, "spool"))
	c.Spool.Bytes = cmp.Or(c.Spool.Bytes, 1<<30)
	c.Spool.Every = cmp.Or(c.Spool.Every, 2*time.Second)
	c.Retention = withDefaults(c.Retention)
	for i := range c.Forward {
		c.Forward[i].Every = cmp.Or(c.Forward[i].Every, 15*time.Second)
	}
}

func withDefaults(r store.Retention) store.Retention {
	d := store.DefaultRetention()
	return store.Retention{
		Minutes: cmp.Or(r.Minutes, d.Minutes), Hours: cmp.Or(r.Hours, d.Hours), Days: cmp.Or(r.Days, d.Days),
		Slices: cmp.Or(r.Slices, d.Slices), Releases: cmp.Or(r.Releases, d.Releases),
	}
}

// MakeFolder makes the folder of data, unless it is there.
func (c *Config) MakeFolder() error {
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return fmt.Errorf("the folder of data: %w: name another one with --data", err)
	}
	return nil
}

// KeysFile is the file of generated keys in the folder of data. It is a configuration, too.
const KeysFile = "keys.yaml"

// AddKeys gives a Config that has no apps, or no tokens, those in the folder of data. At the
// first start it makes them; made reports that.
func (c *Config) AddKeys() (made bool, err error) {
	if len(c.Apps) > 0 && len(c.Tokens) > 0 {
		return false, nil
	}
	if err := c.MakeFolder(); err != nil {
		return false, err
	}
	file := filepath.Join(c.Data, KeysFile)
	kept, err := ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		made = true
		if err = writeKeys(file); err == nil {
			kept, err = ReadFile(file)
		}
	}
	if err != nil {
		return false, fmt.Errorf("the keys: %w", err)
	}
	if len(c.Apps) == 0 {
		c.Apps = kept.Apps
	}
	if len(c.Tokens) == 0 {
		c.Tokens = kept.Tokens
	}
	if len(c.Apps) == 0 || len(c.Tokens) == 0 {
		return false, fmt.Errorf("the keys: %s lacks its apps or its tokens: restore it, or remove it, and the next start makes new ones", file)
	}
	return made, c.Check()
}

// writeKeys makes an app with a key, and a token. No other user can read the file at any time,
// and no reader sees a part of it.
func writeKeys(file string) error {
	text := fmt.Sprintf(`# The keys of this collector, made at its first start.
# A key is in pages, and admits requests that write. A token is a secret that admits to
# the dashboard, to questions and to uploads.
apps:
  - name: default
    keys: [%s]
    origins: ["*"]
tokens:
  - text: %s
    read: true
    upload: true
`, "fpk_"+strings.ToLower(rand.Text()), "fpt_"+strings.ToLower(rand.Text()+rand.Text()))
	return outfile.WriteSecret(file, []byte(text))
}
