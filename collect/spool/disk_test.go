package spool

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"syscall"
)

// disk is a disk in memory that can fail, and lose what was not synchronized.
type disk struct {
	mu     sync.Mutex
	random *rand.Rand
	names  map[string]*inode // as the running system sees them
	synced map[string]*inode // those that survive for sure
	locked bool

	// fault decides about an operation: an error, and for writes how much is written before.
	fault func(op string) error
	// left is the number of operations until the machine stops; below 0 it does not.
	left  int
	isOff bool
}

type inode struct {
	data    []byte // as the running system sees it
	durable []byte
	pending []change // since the latest Sync
}

// change is a write, or a cut if data is nil.
type change struct {
	at   int64
	data []byte
}

var errOff = errors.New("the machine is off")

func newDisk(random *rand.Rand) *disk {
	return &disk{random: random, names: map[string]*inode{}, synced: map[string]*inode{}, left: -1}
}

// op admits an operation.
func (d *disk) op(name string) error {
	if d.left == 0 || d.isOff {
		d.isOff = true
		return errOff
	}
	if d.left > 0 {
		d.left--
	}
	if d.fault != nil {
		return d.fault(name)
	}
	return nil
}

// restart is the disk after the machine stopped: of what was not synchronized, anything may be
// there.
func (d *disk) restart() *disk {
	d.mu.Lock()
	defer d.mu.Unlock()
	after := newDisk(d.random)
	for _, name := range slices.Sorted(maps.Keys(d.union())) {
		now, before := d.names[name], d.synced[name]
		node := now
		if now != before && d.random.IntN(2) == 0 {
			node = before
		}
		if node != nil {
			after.names[name] = node.restart(d.random)
			after.synced[name] = after.names[name]
		}
	}
	return after
}

func (d *disk) union() map[string]*inode {
	all := maps.Clone(d.names)
	maps.Copy(all, d.synced)
	return all
}

const sector = 512

func (n *inode) restart(random *rand.Rand) *inode {
	data := slices.Clone(n.durable)
	way := random.IntN(4)
	for _, c := range n.pending {
		switch way {
		case 0: // lost
		case 1:
			data = c.apply(data)
		case 2: // each on its own, in part
			if len(c.data) > 0 {
				c.data = c.data[:random.IntN(len(c.data)+1)]
				data = c.apply(data)
			} else if random.IntN(2) == 0 {
				data = c.apply(data)
			}
		case 3: // sectors, in any order
			if c.data == nil {
				continue
			}
			for from := 0; from < len(c.data); from += sector {
				if random.IntN(2) == 0 {
					data = change{c.at + int64(from), c.data[from:min(from+sector, len(c.data))]}.apply(data)
				}
			}
		}
	}
	return &inode{data: data, durable: slices.Clone(data)}
}

func (c change) apply(data []byte) []byte {
	if c.data == nil {
		return resize(data, c.at)
	}
	data = resize(data, max(int64(len(data)), c.at+int64(len(c.data))))
	copy(data[c.at:], c.data)
	return data
}

func resize(data []byte, size int64) []byte {
	for int64(len(data)) < size {
		data = append(data, 0)
	}
	return data[:size]
}

func (d *disk) Lock(string) (io.Closer, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.locked {
		return nil, ErrLocked
	}
	d.locked = true
	return unlock{d}, nil
}

type unlock struct{ *disk }

func (u unlock) Close() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.locked = false
	return nil
}

func (d *disk) List() ([]string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Collect(maps.Keys(d.names)), d.op("list")
}

func (d *disk) Size(name string) (int64, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.names[name] == nil {
		return 0, fs.ErrNotExist
	}
	return int64(len(d.names[name].data)), d.op("size")
}

func (d *disk) Open(name string) (File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.names[name] == nil {
		return nil, fs.ErrNotExist
	}
	return &handle{d, d.names[name]}, d.op("open")
}

func (d *disk) Create(name string) (File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.op("create"); err != nil {
		return nil, err
	}
	if d.names[name] != nil {
		return nil, fs.ErrExist
	}
	d.names[name] = &inode{}
	return &handle{d, d.names[name]}, nil
}

func (d *disk) Remove(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.op("remove"); err != nil {
		return err
	}
	if d.names[name] == nil {
		return fs.ErrNotExist
	}
	delete(d.names, name)
	return nil
}

func (d *disk) Sync() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.op("sync folder"); err != nil {
		return err
	}
	d.synced = maps.Clone(d.names)
	return nil
}

// handle is an open file.
type handle struct {
	disk *disk
	node *inode
}

func (h *handle) ReadAt(b []byte, at int64) (int, error) {
	h.disk.mu.Lock()
	defer h.disk.mu.Unlock()
	if err := h.disk.op("read"); err != nil {
		return 0, err
	}
	if at >= int64(len(h.node.data)) {
		return 0, io.EOF
	}
	n := copy(b, h.node.data[at:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

func (h *handle) WriteAt(b []byte, at int64) (int, error) {
	h.disk.mu.Lock()
	defer h.disk.mu.Unlock()
	wasOff := h.disk.isOff
	err := h.disk.op("write")
	switch {
	case wasOff:
		return 0, err
	case err != nil: // a part is written
		b = b[:h.disk.random.IntN(len(b)+1)]
	}
	c := change{at, append([]byte{}, b...)}
	h.node.data = c.apply(h.node.data)
	h.node.pending = append(h.node.pending, c)
	return len(b), err
}

func (h *handle) Truncate(size int64) error {
	h.disk.mu.Lock()
	defer h.disk.mu.Unlock()
	if err := h.disk.op("truncate"); err != nil {
		return err
	}
	c := change{at: size}
	h.node.data = c.apply(h.node.data)
	h.node.pending = append(h.node.pending, c)
	return nil
}

// Sync makes a file durable. If it fails, some of it is, and the rest never will be.
func (h *handle) Sync() error {
	h.disk.mu.Lock()
	defer h.disk.mu.Unlock()
	if err := h.disk.op("sync"); err != nil {
		if !errors.Is(err, errOff) {
			h.node.durable = h.node.restart(h.disk.random).durable
			h.node.pending = nil
		}
		return err
	}
	h.node.durable, h.node.pending = slices.Clone(h.node.data), nil
	return nil
}

func (h *handle) Close() error { return nil }

var errNoSpace error = syscall.ENOSPC
