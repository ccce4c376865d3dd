package sqlite_test

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/collect/store/sqlite"
	"github.com/fieldprof/fieldprof/internal/must"
)

// TestOpenErrors opens what cannot be opened. Each error says what to do.
func TestOpenErrors(t *testing.T) {
	folder := t.TempDir()
	file := func(name string, content []byte) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	database := func(name, setup string) string {
		path := filepath.Join(folder, name)
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if _, err := db.Exec(setup); err != nil {
			t.Fatal(err)
		}
		return path
	}
	used := filepath.Join(folder, "used")
	open(t, used)
	text := file("text", []byte(strings.Repeat("This is no database. ", 1000)))
	for path, want := range map[string]string{
		text: "it is not a database; give the store another file, or restore this one from a backup",
		database("foreign", "CREATE TABLE t (x)"):                                         "it is a database of another program; give the store a file of its own",
		database("newer", "PRAGMA application_id = 0x66707366; PRAGMA user_version = 99"): "written by a newer version of instrument (format 99",
		used:                            "another process uses it",
		folder:                          "it cannot be opened; check that the folder exists and may be written",
		filepath.Join(text, "store.db"): "cannot make the folder of the store",
	} {
		s, err := openStore(t.Context(), path)
		if err == nil {
			_ = s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) && want[:4] != "cann" {
			t.Errorf("Open of %s says %v, want %s", filepath.Base(path), err, want)
		}
	}
	if content, err := os.ReadFile(text); err != nil || !bytes.Contains(content, []byte("no database")) {
		t.Errorf("the file that is no database was changed: %v", err)
	}
}

// TestDamage writes garbage over parts of a store. Questions fail or answer; nothing panics.
func TestDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	shop := newShop(20)
	s := open(t, path)
	var chunks []*record.Chunk
	for i := range 100 {
		chunks = append(chunks, shop.chunk(i, time.Unix(1e9, 0)))
	}
	if _, err := s.Write(t.Context(), record.ID{}, chunks); err != nil {
		t.Fatal(err)
	}
	if err := sqlite.Backup(t.Context(), path, path+".copy"); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path + ".copy")
	if err != nil {
		t.Fatal(err)
	}
	failed := 0
	for i := range 12 {
		damaged := bytes.Clone(whole)
		for at := 4096 * (i + 1); at < len(damaged); at += 4096 * 12 {
			copy(damaged[at:], bytes.Repeat([]byte{0xff, 0x81, byte(i)}, 500))
		}
		path := fmt.Sprint(path, i)
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := openStore(t.Context(), path)
		if err != nil {
			failed++
			continue
		}
		all := store.Selection{App: "shop", To: time.Unix(2e9, 0)}
		_, err = s.Ticks(t.Context(), all, store.Grouping{By: []string{record.Browser}}, 100)
		if err == nil {
			_, err = s.Write(t.Context(), record.ID{}, []*record.Chunk{shop.chunk(1000+i, time.Unix(1e9, 0))})
		}
		if err != nil && strings.Contains(err.Error(), "from a backup") {
			failed++
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if failed == 0 {
		t.Error("no damage was noticed")
	}
}

// TestNoRoom has files of 8 GiB.
func TestNoRoom(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	s := open(t, path)
	put := func(name string) error {
		return s.PutFile(t.Context(), store.File{App: "shop", Release: "1", Name: name, Kind: store.FileMap}, []byte("{}"))
	}
	must.Do(t, put("a.map"))
	db := must.Get(sql.Open("sqlite", path))(t)
	defer db.Close()
	must.Get(db.Exec("UPDATE file SET stored = 8 << 30"))(t)
	if err := put("b.map"); !errors.Is(err, store.ErrNoRoom) {
		t.Errorf("another file: %v", err)
	}
	must.Do(t, put("a.map")) // in its place
}

// TestBackup copies a store while it is written.
func TestBackup(t *testing.T) {
	folder := t.TempDir()
	s, shop := open(t, filepath.Join(folder, "store.db")), newShop(20)
	const batches, size = 6, 50
	n := 0
	write := func() {
		var chunks []*record.Chunk
		for range size {
			chunks = append(chunks, shop.chunk(n, time.Unix(1e9+int64(n), 0)))
			n++
		}
		if _, err := s.Write(t.Context(), record.ID{}, chunks); err != nil {
			t.Error(err)
		}
	}
	write()
	done := make(chan error)
	copied := filepath.Join(folder, "it's a copy.db")
	go func() { done <- s.Backup(t.Context(), copied) }()
	for range batches {
		write()
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	of := open(t, copied)
	totals, err := of.Totals(t.Context(), store.Selection{App: "shop", To: time.Unix(2e9, 0)}, store.Grouping{})
	if err != nil || len(totals) != 1 || totals[0].Chunks < size || totals[0].Chunks%size != 0 {
		t.Errorf("the copy has %+v, %v, which is not some whole batches", totals, err)
	}
	if err := s.Backup(t.Context(), copied); err == nil || !strings.Contains(err.Error(), "exists already") {
		t.Errorf("a second backup over the first: %v", err)
	}
	for _, path := range []string{copied, filepath.Join(folder, "store.db"), filepath.Join(folder, "store.db-wal")} {
		if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v; only its owner should read it", path, info.Mode(), err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(folder, ".backup-*")); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}
