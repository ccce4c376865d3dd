package server

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/fieldprof/fieldprof/collect/config"
	"github.com/fieldprof/fieldprof/collect/store/clickhouse"
	"github.com/fieldprof/fieldprof/collect/store/sqlite"
)

// Check says what a collector with this configuration would do. It changes nothing: a store of an older format
// keeps it.
func Check(ctx context.Context, c *config.Config, w io.Writer) error {
	c.SetDefaults()
	if len(c.Apps) == 0 {
		fmt.Fprintf(w, "apps: one, with the keys in %s\n", filepath.Join(c.Data, config.KeysFile))
	}
	for _, a := range c.Apps {
		fmt.Fprintf(w, "app %s: keys: %d, origins: %s\n", a.Name, len(a.Keys), strings.Join(a.Origins, " "))
	}
	fmt.Fprintf(w, "listens at %s, keeps its data in %s\n", c.Listen, c.Data)
	name, state, err := storeState(ctx, c)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "store: %s, %s\n", name, state)
	return err
}

// storeState says how a store is, and what becomes of it.
func storeState(ctx context.Context, c *config.Config) (name, state string, err error) {
	name, _, _ = strings.Cut(c.Store, ":")
	format := clickhouse.Format
	where := c.Store
	if file, ok := strings.CutPrefix(c.Store, "sqlite:"); ok {
		name, where, format = file, file, sqlite.Format
		switch used, err := isLocked(c.Data); {
		case err != nil:
			return name, "", err
		case used:
			return name, "which a collector is using", nil
		}
	}
	has, known, err := format(ctx, where)
	switch {
	case err != nil:
		return name, "", fmt.Errorf("the store: %w", err)
	case has == 0:
		return name, "which will be made", nil
	case has < known:
		return name, fmt.Sprintf("which the next start brings from format %d to %d: make a backup before", has, known), nil
	}
	return name, "which is ready", nil
}
