package intake

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"time"
)

// maxRefused bounds the file of what was refused, and the one before it, in bytes.
const maxRefused = 32 << 20

// refused is a file of records that cannot be stored, for people to look at.
type refused struct{ path string }

type refusedRecord struct {
	At   time.Time `json:"at"`
	Why  string    `json:"why"`
	Data []byte    `json:"data"` // as record.Encode writes it
}

// add appends a record. When the file is full it becomes the old one, and replaces it.
func (r *refused) add(data []byte, why error) error {
	line, err := json.Marshal(refusedRecord{time.Now().UTC(), why.Error(), data})
	if err != nil {
		return err
	}
	if len(line) > maxRefused {
		return errors.New("it is too long to be kept")
	}
	info, err := os.Stat(r.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err == nil && info.Size()+int64(len(line)) > maxRefused {
		if err := os.Rename(r.path, r.path+".old"); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(r.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Sync(), f.Close())
}
