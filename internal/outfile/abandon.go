package outfile

import (
	"errors"
	"os"
	"sync"
)

// opened are the files that have a temporary name.
var opened openFiles

// openFiles are known, so that a process that is interrupted leaves none.
type openFiles struct {
	mu    sync.Mutex
	files map[*File]bool
	ended bool
}

var errEnded = errors.New("interrupted")

// Abandon removes the temporary files of all files that are open, because the process is about to
// end. Goroutines that are writing may go on until then: they complete no file and open no other.
func Abandon() {
	opened.mu.Lock()
	defer opened.mu.Unlock()
	opened.ended = true
	for f := range opened.files {
		_ = f.out.Close()
		_ = os.Remove(f.temporary)
	}
	opened.files = nil
}

// add opens a file. A pipe has no temporary name, and is opened without the lock: that may take
// until there is a reader.
func (o *openFiles) add(f *File, open func() error) error {
	if f.temporary == "" {
		return open()
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ended {
		return errEnded
	}
	err := open()
	if err == nil {
		if o.files == nil {
			o.files = map[*File]bool{}
		}
		o.files[f] = true
	}
	return err
}

// finish does the last thing to a file that is open.
func (o *openFiles) finish(f *File, last func() error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ended {
		return errEnded
	}
	if !o.files[f] {
		return nil
	}
	err := last()
	if err == nil {
		delete(o.files, f)
	}
	return err
}
