package builddir

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A run that is killed leaves its temporary folder behind. Next to each such folder is
// a file that says whose it is, and that its run keeps locked while it lives:
//
//	.dist.2718281828         the output in the making
//	.dist.2718281828.claim   {"fieldprof":"an output in the making","host":"build-7","pid":4711,…}
//
// The next run for the same place removes the folders of runs that are surely over:
// the claim is of this host and not locked. A run that was killed while it put its
// output in place may have left the only copy of what was there; its folder is
// reported and left alone.

// claimSuffix ends the names of such files.
const claimSuffix = ".claim"

// claimText distinguishes our files from others.
const claimText = "an output in the making"

// maxClaim bounds what is read of one, in bytes.
const maxClaim = 4 << 10

// claim is the file of one run.
type claim struct {
	file      *os.File
	isPlacing bool
	said      claimed
}

// claimed is what the file says.
type claimed struct {
	Fieldprof string    `json:"fieldprof"`
	Folder    string    `json:"folder"`
	Host      string    `json:"host"`
	PID       int       `json:"pid"`
	Started   time.Time `json:"started"`
	Placing   bool      `json:"placing"` // it puts its output in place
}

// newClaim claims the name of a folder next to a place.
func newClaim(place string) (*claim, error) {
	f, err := os.CreateTemp(filepath.Dir(place), "."+filepath.Base(place)+".*"+claimSuffix)
	if err != nil {
		return nil, err
	}
	host, _ := os.Hostname()
	c := &claim{file: f}
	c.said = claimed{claimText, filepath.Base(c.folder()), host, os.Getpid(), time.Now().UTC(), false}
	if !tryLock(f) {
		c.said.Host = "" // without locks it is never known that a run is over
	}
	if err := c.write(); err != nil {
		c.end()
		return nil, err
	}
	return c, nil
}

// folder returns the claimed folder.
func (c *claim) folder() string { return strings.TrimSuffix(c.file.Name(), claimSuffix) }

func (c *claim) write() error {
	data, err := json.Marshal(&c.said)
	if err != nil {
		return err
	}
	if _, err := c.file.WriteAt(append(data, '\n'), 0); err != nil {
		return err
	}
	return c.file.Truncate(int64(len(data) + 1))
}

// placing records that from now on the folder may hold what was in the place.
func (c *claim) placing() error {
	c.said.Placing, c.isPlacing = true, true
	return c.write()
}

// end gives the claim up.
func (c *claim) end() {
	os.Remove(c.file.Name())
	c.file.Close()
	os.Remove(c.file.Name()) // on systems where only a closed file can be removed
}

// endIfGone gives the claim up if nothing is left of the folder.
func (c *claim) endIfGone() {
	for _, name := range []string{c.folder(), c.folder() + ".old"} {
		if _, err := os.Lstat(name); err == nil {
			c.file.Close()
			return
		}
	}
	c.end()
}

// sweep removes what finished runs for a place have left.
func sweep(place string) (warnings []Warning) {
	parent, prefix := filepath.Dir(place), "."+filepath.Base(place)+"."
	entries, _ := os.ReadDir(parent)
	for _, entry := range entries {
		name := entry.Name()
		if !entry.Type().IsRegular() || !strings.HasPrefix(name, prefix) || !strings.HasSuffix(name, claimSuffix) {
			continue
		}
		if text := sweepOne(filepath.Join(parent, name)); text != "" {
			warnings = append(warnings, Warning{File: strings.TrimSuffix(name, claimSuffix), Text: text})
		}
	}
	return warnings
}

// sweepOne removes a claim and its folder, if its run is over.
func sweepOne(name string) (warning string) {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return ""
	}
	c := &claim{file: f}
	host, _ := os.Hostname()
	data, err := io.ReadAll(io.LimitReader(f, maxClaim))
	isOver := err == nil && json.Unmarshal(data, &c.said) == nil && c.said.Fieldprof == claimText &&
		c.said.Folder == filepath.Base(c.folder()) && c.said.Host == host && host != "" && tryLock(f) && isStill(f)
	if !isOver {
		f.Close()
		return ""
	}
	if c.said.Placing {
		c.endIfGone()
		if _, err := os.Lstat(name); err != nil {
			return ""
		}
		return fmt.Sprintf("is left of a run that was killed while it put its output in place (process %d, %s): look whether you miss what is in it, then remove it and %s", c.said.PID, c.said.Started.Format(time.DateTime), filepath.Base(name))
	}
	if info, err := os.Lstat(c.folder()); err == nil && info.IsDir() {
		if removeAll(c.folder()) != nil {
			f.Close()
			return "is left of a run that was killed, and cannot be removed: remove it"
		}
	}
	c.end()
	return ""
}

// isStill reports whether an open file still has its name.
func isStill(f *os.File) bool {
	open, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(f.Name())
	return err == nil && os.SameFile(open, named)
}
