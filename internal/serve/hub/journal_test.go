package hub

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/live"
)

// crash ends a server as a kill does: nothing is written or said any more.
func (s *server) crash() {
	for _, source := range s.all() {
		source.book.file.Close()
	}
	s.journal.lock.Close()
}

// recorded connects a source that records, and sends so many batches of one tick.
func (s *server) recorded(t *testing.T, name string, batches int64) *client {
	t.Helper()
	hello := s.hello(name)
	hello.Recording, hello.Interval = 1, 10
	c, _ := s.join(t, hello)
	for seq := int64(1); seq <= batches; seq++ {
		c.send(batch(1, seq, 1, 1))
	}
	until(c, func(a *live.Ack) bool { return a.Seq == batches })
	return c
}

// book is the text of a source's file.
func bookOf(t *testing.T, folder, name string) (path string, text []byte) {
	t.Helper()
	path = filepath.Join(folder, (&journal{}).book(id(name)).name)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, text
}

// A server that is started again after a crash has all it acknowledged, says what
// happened, and lets sources and panels come back with their tokens.
func TestCrash(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "journal")
	s := serve(t, Options{Journal: folder})
	panel := s.watch(t)
	panel.send(live.Start{Type: live.TypeStart, Interval: 10})
	until(panel, func(*live.Sources) bool { return s.startingNow() != nil }) // and it is in the journal
	s.recorded(t, "stays", 5)
	s.recorded(t, "leaves", 3)
	s.crash()
	again := serve(t, Options{Journal: folder})
	if again.SourceToken() != s.SourceToken() || again.PanelToken() != s.PanelToken() || again.server == s.server {
		t.Error("pages cannot come back")
	}
	panel = again.watch(t)
	for _, name := range []string{"stays", "leaves"} {
		if state := panel.see(name, "lost"); state.Why != "the server was started again" {
			t.Errorf("%+v", state)
		}
	}
	hello := again.hello("stays")
	hello.Recording, hello.Interval, hello.Acked = 1, 10, 5
	c, welcome := again.join(t, hello)
	if welcome.Profile != 1 || welcome.Acked != 5 || welcome.Server == s.server {
		t.Errorf("%+v", welcome)
	}
	c.send(batch(1, 5, 1, 1)) // again
	c.send(batch(1, 6, 1, 1))
	until(c, func(a *live.Ack) bool { return a.Seq == 6 })
	if got := again.watch(t).ticks("stays", 6); got != 6 {
		t.Errorf("%d ticks", got)
	}
	if got := again.watch(t).ticks("leaves", 3); got != 3 {
		t.Errorf("%d ticks", got)
	}
	if _, welcome := again.join(t, again.hello("new")); welcome.Profile != 1 {
		t.Error("that all are to record is forgotten")
	}
}

// However a book ends, or is damaged, the intact lines before that are there.
func TestDamagedBook(t *testing.T) {
	must.NotForRaces(t)
	folder, path, text, lines := crashedBook(t)
	for cut := range len(text) {
		if err := os.WriteFile(path, text[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		whole, end := 0, 0
		for end+len(lines[whole]) <= cut {
			end += len(lines[whole])
			whole++
		}
		checkRestored(t, folder, max(whole-2, 0), fmt.Sprintf("cut at %d", cut))
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		damaged := bytes.Clone(text)
		at := len(lines[0]) + len(lines[1]) + random.IntN(len(text)-len(lines[0])-len(lines[1]))
		damaged[at] = byte(random.IntN(32)) // never in JSON, unless it is a line break
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		checkRestored(t, folder, -1, fmt.Sprintf("damaged at %d", at))
	}
	for name, text := range map[string]string{"garbage": "garbage\n", "another's": strings.Replace(string(text), id("app"), id("appendix"), 1), "a batch first": string(lines[2]), "nothing": ""} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		checkRestored(t, folder, 0, name)
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s: the file is still there", name)
		}
	}
}

// A book that cannot be read, or not to its end, is kept as it is, under a name that is told; only what is
// empty goes.
func TestUnreadableBookIsSetAside(t *testing.T) {
	folder, path, text, lines := crashedBook(t)
	newer := bytes.Replace(text, []byte(`"version":1`), []byte(`"version":2`), 1)
	damaged := bytes.Join([][]byte{lines[0], lines[1], lines[2], []byte("\x00\n"), lines[3], lines[4]}, nil)
	for i, c := range []struct {
		name   string
		text   []byte
		kept   bool
		intact []byte // what remains of it as a book
	}{
		{"of a newer version", newer, true, nil},
		{"damaged", damaged, true, bytes.Join(lines[:3], nil)},
		{"another source's", bytes.ReplaceAll(text, []byte(id("app")), []byte(id("appendix"))), true, nil},
		{"no book", []byte("garbage"), true, nil},
		{"whole", text, false, text},
		{"cut", text[:len(text)-3], false, bytes.Join(lines[:5], nil)},
		{"empty", nil, false, nil},
	} {
		must.Do(t, os.WriteFile(path, c.text, 0o600))
		var told []string
		h := must.Get(New(Options{Journal: folder, Log: func(line string) { told = append(told, line) }}))(t)
		h.Restore(code{})
		for _, s := range h.all() {
			s.book.file.Close()
		}
		h.journal.close()
		aside := fmt.Sprint(path, asideEnd, i+1)
		if was, err := os.ReadFile(aside); c.kept != (err == nil) || c.kept && !bytes.Equal(was, c.text) {
			t.Errorf("%s: set aside is %q, %v", c.name, was, err)
		}
		if c.kept != (len(told) == 1 && strings.Contains(told[0], path) && strings.Contains(told[0], filepath.Base(aside))) {
			t.Errorf("%s: told %q", c.name, told)
		}
		if is, err := os.ReadFile(path); !bytes.Equal(is, c.intact) || (err == nil) != (c.intact != nil) {
			t.Errorf("%s: the book is %q, %v", c.name, is, err)
		}
	}
	must.Do(t, must.Get(openJournal(folder, 1<<20))(t).end(false))
	if _, err := os.Stat(folder); err == nil {
		t.Error("a clean end leaves files")
	}
}

// crashedBook is the journal of a server that crashed, with the book of the source "app". Its lines are hello, start, four
// batches, and nothing after the last break.
func crashedBook(t *testing.T) (folder, path string, text []byte, lines [][]byte) {
	t.Helper()
	folder = filepath.Join(t.TempDir(), "journal")
	s := serve(t, Options{Journal: folder})
	s.recorded(t, "app", 4)
	s.crash()
	path, text = bookOf(t, folder, "app")
	return folder, path, text, bytes.SplitAfter(text, []byte("\n"))
}

// checkRestored opens a journal with the book of one source, as a server does after a crash.
func checkRestored(t *testing.T, folder string, batches int, what string) {
	t.Helper()
	h, err := New(Options{Journal: folder})
	if err != nil {
		t.Fatal(err)
	}
	defer h.journal.close()
	h.Restore(code{})
	got := 0
	for _, s := range h.all() {
		got = int(s.acked)
		s.book.file.Close()
	}
	if batches >= 0 && got != batches || got > 4 {
		t.Errorf("%s: %d batches, want %d", what, got, batches)
	}
}

// Within its bound the journal forgets what is gone first, then the oldest samples, and
// says so. The rest can be read.
func TestJournalIsBounded(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "journal")
	s := serve(t, Options{Journal: folder, MaxJournal: 20_000})
	gone := s.recorded(t, "gone", 20)
	gone.conn.Close(1000, "left")
	panel := s.watch(t)
	panel.see("gone", "gone")
	const batches, each = 300, 20
	c := s.recorded(t, "app", 1)
	for seq := int64(2); seq <= batches; seq++ {
		b := some(each*(seq-1), each)
		b.Type, b.Profile, b.Seq = live.TypeBatch, 1, seq
		clear(b.Samples.Stack) // all on the first one
		b.Samples.Delta[0] += 10000
		c.send(b)
	}
	until(c, func(a *live.Ack) bool { return a.Seq == batches })
	const ticks = each*(batches-1) + 1
	if size := s.journal.size.Load(); size > 20_000+1000 {
		t.Errorf("the journal has %d bytes", size)
	}
	list := until(panel, func(l *live.Sources) bool {
		return len(l.List) == 2 && len(l.List[0].Notes) > 0 && len(l.List[1].Notes) > 0 && l.List[1].Samples == ticks
	})
	for i, want := range []string{"The journal is full: save this profile before the server ends.", "The journal is full: if the server is killed, the oldest samples are lost."} {
		if got := list.List[i].Notes; len(got) != 1 || got[0] != want {
			t.Errorf("%q", got)
		}
	}
	if got := s.watch(t).ticks("app", ticks); got != ticks {
		t.Errorf("%d ticks in memory", got)
	}
	s.crash()
	again := serve(t, Options{Journal: folder})
	if n := len(again.all()); n != 1 {
		t.Fatalf("%d sources", n)
	}
	restored := again.all()[0]
	kept, dropped := restored.history.count(), restored.history.dropped.Ticks
	if kept == 0 || dropped == 0 || kept+dropped != ticks || restored.acked != batches {
		t.Errorf("%d samples are kept, %d dropped, up to batch %d", kept, dropped, restored.acked)
	}
}

// A source whose functions alone would fill the journal has no book in the end.
func TestJournalOfManyFunctions(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "journal")
	s := serve(t, Options{Journal: folder, MaxJournal: 10_000})
	c := s.recorded(t, "app", 100)
	if size := s.journal.size.Load(); size > 10_000 {
		t.Errorf("the journal has %d bytes", size)
	}
	panel := s.watch(t)
	if state := panel.see("app", "recording"); !slices.Contains(state.Notes, "The journal is full: save this profile before the server ends.") {
		t.Errorf("%q", state.Notes)
	}
	c.send(live.Start{Type: live.TypeStart, Interval: 3}) // another profile has a book again
	next[*live.Start](c)
	c.send(batch(2, 101, 101, 1))
	until(c, func(a *live.Ack) bool { return a.Seq == 101 })
	if _, text := bookOf(t, folder, "app"); bytes.Count(text, []byte("\n")) != 3 {
		t.Errorf("%s", text)
	}
}

// A journal that cannot be written is reported, and the server goes on.
func TestJournalFails(t *testing.T) {
	s := serve(t, Options{})
	c := s.recorded(t, "app", 1)
	s.all()[0].book.file.Close() // a disk that is full says the same
	c.send(batch(1, 2, 1, 1))
	until(c, func(a *live.Ack) bool { return a.Seq == 2 })
	panel := s.watch(t)
	if state := panel.see("app", "recording"); len(state.Notes) != 1 || !strings.Contains(state.Notes[0], "journal cannot be written") {
		t.Errorf("%q", state.Notes)
	}
}

// Two servers do not share a journal, and one that ends cleanly leaves nothing.
func TestJournalBelongsToOne(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a", "journal")
	h, err := New(Options{Journal: folder})
	if err != nil {
		t.Fatal(err)
	}
	h.Restore(code{})
	if filepath.Separator == '/' { // elsewhere there is no lock
		if _, err := New(Options{Journal: folder}); err == nil || !strings.Contains(err.Error(), "another server") {
			t.Error(err)
		}
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(folder); err == nil {
		t.Error("the folder is left")
	}
}

// A folder that holds other files keeps them.
func TestForeignFolder(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"notes.txt", "x.jsonl", strings.Repeat("z", 64) + ".json"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	h, err := New(Options{Journal: folder})
	if err != nil {
		t.Fatal(err)
	}
	h.Restore(code{})
	h.Close()
	if entries, _ := os.ReadDir(folder); len(entries) != 3 {
		t.Errorf("%v", entries)
	}
}

// oneBuild is a site of which one build is known.
type oneBuild struct {
	code
	id    string
	asked map[string]bool // of which builds it was asked for scripts
}

func (b oneBuild) Script(build, _ string) (profile.Script, bool) {
	b.asked[build] = true
	return profile.Script{}, false
}

func (b oneBuild) Has(build string) bool { return build == b.id }

// The messages of a page are of the build that it has loaded, also in a journal after another one.
func TestJournalOfAnotherBuild(t *testing.T) {
	must.NotForRaces(t)
	folder := t.TempDir() + "/kept"
	s := serve(t, Options{Journal: folder, Keep: true})
	first, second := oneBuild{id: "first", asked: map[string]bool{}}, oneBuild{id: "second", asked: map[string]bool{}}
	s.code = first
	panel := s.watch(t)
	hello := s.hello("app")
	hello.Build = "first"
	source, _ := s.join(t, hello)
	panel.see("app", "connected")
	panel.send(live.Start{Type: live.TypeStart, Interval: 10})
	next[*live.Start](source)
	source.send(batch(1, 1, 1, 1))
	until(source, func(a *live.Ack) bool { return a.Seq == 1 })
	if state := panel.see("app", "recording"); len(state.Notes) != 0 {
		t.Errorf("%q", state.Notes)
	}
	must.Do(t, s.Close())
	h := must.Get(New(Options{Journal: folder, Page: func(io.Writer, string) error { return nil }}))(t)
	h.Restore(second)
	defer h.Close()
	for _, of := range []oneBuild{first, second} {
		if len(of.asked) != 1 || !of.asked["first"] {
			t.Errorf("the %s build was asked for %v", of.id, of.asked)
		}
	}
	if notes := h.all()[0].state().Notes; len(notes) != 1 || !strings.Contains(notes[0], "built again") {
		t.Errorf("%q", notes)
	}
}

// A journal that cannot be begun is reported, like one that cannot be written any more.
func TestJournalCannotBegin(t *testing.T) {
	s := serve(t, Options{})
	panel := s.watch(t)
	source, _ := s.join(t, s.hello("app"))
	panel.see("app", "connected")
	must.Do(t, os.Mkdir(filepath.Join(s.journal.path, s.all()[0].book.name), 0o700)) // where the book should be
	must.Do(t, os.WriteFile(filepath.Join(s.journal.path, s.all()[0].book.name, "file"), nil, 0o600))
	panel.send(live.Start{Type: live.TypeStart, Interval: 10})
	next[*live.Start](source)
	source.send(batch(1, 1, 1, 1))
	until(source, func(a *live.Ack) bool { return a.Seq == 1 })
	if state := panel.see("app", "recording"); len(state.Notes) != 1 || !strings.Contains(state.Notes[0], "journal cannot be written") {
		t.Errorf("%q", state.Notes)
	}
}

// A file left by a server that was killed while it shortened a book is removed, and nothing else.
func TestJournalLeftovers(t *testing.T) {
	folder := t.TempDir() + "/journal"
	must.Do(t, os.Mkdir(folder, 0o700))
	for _, name := range []string{strings.Repeat("a", 64) + bookEnd + newEnd, "notes.txt"} {
		must.Do(t, os.WriteFile(filepath.Join(folder, name), nil, 0o600))
	}
	h := must.Get(New(Options{Journal: folder, Page: func(io.Writer, string) error { return nil }}))(t)
	h.Restore(code{})
	must.Do(t, h.Close())
	if left := must.Get(filepath.Glob(folder + "/*"))(t); len(left) != 1 || filepath.Base(left[0]) != "notes.txt" {
		t.Errorf("%q are left", left)
	}
}
