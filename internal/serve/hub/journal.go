package hub

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/fieldprof/fieldprof/internal/filelock"
	"github.com/fieldprof/fieldprof/profile/live"
)

// journal is a folder with a file for each source, its book, and one about the run.
type journal struct {
	path string
	root *os.Root
	lock *os.File
	max  int64
	size atomic.Int64 // of all books
}

// run is what a server that is started again must know of the one before. The tokens
// are there as long as that has not ended cleanly, so that pages may come back.
type run struct {
	Source   string      `json:"source,omitempty"`
	Panel    string      `json:"panel,omitempty"`
	Starting *live.Start `json:"starting,omitempty"`
	Ended    bool        `json:"ended,omitempty"` // cleanly
}

const (
	runFile  = "run.json"
	lockFile = "lock"
	bookEnd  = ".jsonl"
	newEnd   = ".new"   // of a file that is to replace another
	asideEnd = ".aside" // of a book that cannot be read, before a number
)

// openJournal opens a folder, which it makes for this user alone.
func openJournal(path string, max int64) (*journal, error) {
	err := os.MkdirAll(path, 0o700)
	if err == nil {
		var root *os.Root
		if root, err = os.OpenRoot(path); err == nil {
			var lock *os.File
			if lock, err = root.OpenFile(lockFile, os.O_CREATE|os.O_RDWR, 0o600); err == nil {
				if filelock.Try(lock) {
					j := &journal{path: path, root: root, lock: lock, max: max}
					for _, name := range append(j.named(func(end string) bool { return end == bookEnd+newEnd }), runFile+newEnd) {
						root.Remove(name) // of a server that was killed
					}
					return j, nil
				}
				lock.Close()
				err = fmt.Errorf("another server uses %s", path)
			}
			root.Close()
		}
	}
	return nil, fmt.Errorf("the journal: %w", err)
}

// begin returns what is known of the run before, with tokens, and keeps it.
func (j *journal) begin() (r run, err error) {
	data, err := j.root.ReadFile(runFile)
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) || len(r.Source) < minToken || len(r.Panel) < minToken || r.Source == r.Panel {
		r.Source, r.Panel = newToken(), newToken()
	}
	now := r
	now.Ended = false
	return r, j.write(now)
}

// write replaces what is kept of the run.
func (j *journal) write(r run) error {
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := j.root.WriteFile(runFile+newEnd, data, 0o600); err != nil {
		return err
	}
	return j.root.Rename(runFile+newEnd, runFile)
}

// books names the books there are.
func (j *journal) books() []string { return j.named(func(end string) bool { return end == bookEnd }) }

// aside names the books that were set aside.
func (j *journal) aside() []string {
	return j.named(func(end string) bool { return strings.HasPrefix(end, bookEnd+asideEnd) })
}

// named names the files of sources with such an end of the name.
func (j *journal) named(has func(end string) bool) (names []string) {
	entries, err := fs.ReadDir(j.root.FS(), ".")
	if err != nil {
		return nil
	}
	for _, entry := range entries {
		const source = 2 * sha256.Size
		if name := entry.Name(); len(name) > source && has(name[source:]) && entry.Type().IsRegular() {
			names = append(names, name)
		}
	}
	return names
}

// setAside gives a book a name that is not a book's, and keeps the old name for its first bytes.
func (j *journal) setAside(name string, good int64) (aside string, err error) {
	for number := 1; aside == "" || err == nil; number++ {
		aside = fmt.Sprintf("%s%s%d", name, asideEnd, number)
		_, err = j.root.Lstat(aside)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if err := j.root.Rename(name, aside); err != nil {
		return "", err
	}
	if good == 0 {
		return aside, nil
	}
	if err := j.copyStart(name, aside, good); err != nil {
		j.root.Remove(name)
		return aside, err
	}
	return aside, nil
}

// copyStart makes a file of the first bytes of another.
func (j *journal) copyStart(name, of string, size int64) error {
	from, err := j.root.Open(of)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := j.root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.CopyN(to, from, size)
	return errors.Join(err, to.Close())
}

// end closes the journal of a run that ends cleanly: its books stay or go, its tokens go.
func (j *journal) end(keep bool) error {
	if keep {
		defer j.close()
		return j.write(run{Ended: true})
	}
	for _, name := range slices.Concat(j.books(), j.aside(), []string{runFile, lockFile}) {
		j.root.Remove(name)
	}
	j.close()
	if err := os.Remove(j.path); !errors.Is(err, fs.ErrExist) { // anything else in it is not ours
		return err
	}
	return nil
}

func (j *journal) close() {
	j.lock.Close()
	j.root.Close()
}

// book is the file of one source: lines of JSON, which are a hello, a start, and what came
// then. It begins again with each profile.
type book struct {
	journal *journal
	name    string

	mu   sync.Mutex
	file *os.File // nil until a profile begins, and after remove
	size int64
	err  error // of the last write; then nothing more is written
}

// book returns that of a source. IDs are chosen by clients, so the name is a hash.
func (j *journal) book(id string) *book {
	hash := sha256.Sum256([]byte(id))
	return &book{journal: j, name: hex.EncodeToString(hash[:]) + bookEnd}
}

// begin replaces what the book holds by an introduction. There is no start in a book of a
// source that does not record. Its error is the error of append.
func (b *book) begin(hello *live.Hello, start *live.Start) error {
	b.remove()
	b.mu.Lock()
	b.file, b.err = b.journal.root.OpenFile(b.name, os.O_CREATE|os.O_TRUNC|os.O_WRONLY|os.O_APPEND, 0o600)
	err := b.err
	b.mu.Unlock()
	if err == nil {
		err = b.write(hello)
	}
	if err == nil && start != nil {
		err = b.write(start)
	}
	return err
}

// write appends a message.
func (b *book) write(message any) error {
	data, err := json.Marshal(message)
	if err != nil {
		return err
	}
	return b.append(data)
}

// append appends a message as it came. It returns an error once: then the book is what
// it was before, and stays so.
func (b *book) append(data []byte) error {
	var line bytes.Buffer
	if err := json.Compact(&line, data); err != nil {
		return err
	}
	line.WriteByte('\n')
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.file == nil || b.err != nil {
		return nil
	}
	n, err := b.file.Write(line.Bytes())
	if err != nil {
		b.err = err
		b.file.Truncate(b.size)
		return err
	}
	b.grow(int64(n))
	return nil
}

func (b *book) grow(n int64) {
	b.size += n
	b.journal.size.Add(n)
}

// bytes is the size of the book.
func (b *book) bytes() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.size
}

// remove removes the book. It is written again when a profile begins.
func (b *book) remove() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.file != nil {
		b.file.Close()
		b.file = nil
	}
	b.grow(-b.size)
	b.journal.root.Remove(b.name)
}

// resume goes on with a book of which so many bytes are whole lines. Its error is the error of append.
func (b *book) resume(size int64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.file, b.err = b.journal.root.OpenFile(b.name, os.O_WRONLY|os.O_APPEND, 0o600)
	if b.err == nil {
		b.err = b.file.Truncate(size)
	}
	b.grow(size - b.size)
	return b.err
}
