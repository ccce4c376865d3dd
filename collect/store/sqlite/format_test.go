package sqlite

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/fieldprof/fieldprof/collect/store"
	expect "github.com/fieldprof/fieldprof/internal/must"
)

// A file without content was a store once, and is not taken for a new one.
func TestEmptyFiles(t *testing.T) {
	for _, content := range []string{"", "S", "SQLite format 3\x00"} {
		path := filepath.Join(t.TempDir(), "store.db")
		expect.Do(t, os.WriteFile(path, []byte(content), 0o600))
		expect.Refuse(Open(t.Context(), path, store.DefaultRetention()))(t, "it is empty or cut short", len(content))
		expect.Equal(t, string(expect.Get(os.ReadFile(path))(t)), content)
		expect.Do(t, os.Remove(path)) // as the error says
		expect.Do(t, expect.Get(Open(t.Context(), path, store.DefaultRetention()))(t).Close())
	}
}

// A store is where links lead: one that does not exist is made there, and a second process does not get it by its own name.
func TestLinks(t *testing.T) {
	folder := t.TempDir()
	disk, link := filepath.Join(folder, "disk"), filepath.Join(folder, "store.db")
	if err := os.Symlink(filepath.Join("disk", "store.db"), link); err != nil {
		t.Skip(err) // Windows asks for a right
	}
	expect.Refuse(Open(t.Context(), link, store.DefaultRetention()))(t, filepath.Join(disk, "store.db")+": it cannot be opened; check that the folder exists")
	expect.Equal(t, expect.Exists(disk), false, "made, where a disk may be missing")
	expect.Do(t, os.Mkdir(disk, 0o700))
	s := expect.Get(Open(t.Context(), link, store.DefaultRetention()))(t)
	expect.Refuse(Open(t.Context(), filepath.Join(disk, "store.db"), store.DefaultRetention()))(t, "another process uses it")
	expect.Do(t, s.Close())
	expect.Equal(t, expect.Get(os.Readlink(link))(t), filepath.Join("disk", "store.db"))
	expect.Do(t, os.Remove(link))
	expect.Do(t, os.Symlink("store.db", link))
	expect.Refuse(Open(t.Context(), link, store.DefaultRetention()))(t, "lead in a circle")
}

// The files that a start which was interrupted leaves, or one whose store was removed since, are not in the way.
func TestBeginAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	for _, left := range []string{".new", ".new-journal", "-wal", "-shm"} {
		expect.Do(t, os.WriteFile(path+left, []byte("rest"), 0o600))
	}
	expect.Do(t, expect.Get(Open(t.Context(), path, store.DefaultRetention()))(t).Close())
	if expect.Exists(path+".new") || expect.Exists(path+".new-journal") {
		t.Error("files are left over")
	}
}

// To ask for the format of a store does not change it.
func TestFormat(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	formats := func() [2]int {
		has, known, err := Format(t.Context(), path)
		expect.Do(t, err)
		return [2]int{has, known}
	}
	latest := len(migrations)
	expect.Equal(t, formats(), [2]int{0, latest})
	expect.Equal(t, expect.Exists(path), false, "made")
	s := expect.Get(Open(t.Context(), path, store.DefaultRetention()))(t)
	expect.Equal(t, formats(), [2]int{latest, latest}) // also with what is not in the file itself yet
	expect.Do(t, s.Close())

	defer func(known []string) { migrations = known }(migrations)
	migrations = append(migrations[:latest:latest], "CREATE TABLE later (x)")
	before := expect.Get(os.ReadFile(path))(t)
	expect.Equal(t, formats(), [2]int{latest, latest + 1})
	expect.Equal(t, expect.Get(os.ReadFile(path))(t), before)
	expect.Do(t, expect.Get(Open(t.Context(), path, store.DefaultRetention()))(t).Close())
	expect.Equal(t, formats(), [2]int{latest + 1, latest + 1})
}
