package intake

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
)

// maxRefused bounds the file of what was refused, and the one before it, in bytes.
const maxRefused = 32 << 20

// aside is a file of records that cannot be stored, for people to look at.
type aside struct {
	path  string
	known map[record.ID]bool // of the batch, which may be tried several times
}

type refusedRecord struct {
	At   time.Time `json:"at"`
	Why  string    `json:"why"`
	Data []byte    `json:"data"` // as record.Encode writes it
}

func (a *aside) forget() { a.known = nil }

// add appends a record, unless this batch has it already.
func (a *aside) add(data []byte, why error) (isNew bool, _ error) {
	id := record.IDOf(string(data))
	if a.known[id] {
		return false, nil
	}
	if a.known == nil {
		a.known = map[record.ID]bool{}
	}
	a.known[id] = true
	return true, a.write(data, why)
}

// write writes a record, or leaves the file as it was. When the file is full it becomes the
// old one, and replaces it.
func (a *aside) write(data []byte, why error) error {
	line, err := json.Marshal(refusedRecord{time.Now().UTC(), why.Error(), data})
	if err != nil {
		return err
	}
	if len(line) > maxRefused {
		return errors.New("it is too long to be kept")
	}
	info, err := os.Stat(a.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err == nil && info.Size()+int64(len(line)) > maxRefused {
		if err := os.Rename(a.path, a.path+".old"); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(a.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	before, err := f.Seek(0, io.SeekEnd)
	if err == nil {
		if _, err = f.Write(append(line, '\n')); err == nil {
			err = f.Sync()
		}
		if err != nil { // a full disk takes a part of a line, to which the next would be added
			err = errors.Join(err, f.Truncate(before))
		}
	}
	return errors.Join(err, f.Close())
}
