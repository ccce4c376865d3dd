package cpuprofile

import "github.com/fieldprof/fieldprof/profile/format/internal/jsonstream"

// column is a list that grows without being copied: there may be a hundred
// million entries, and the number is not known beforehand.
type column[T int64 | int32 | uint8 | float64] struct {
	parts [][]T
	n     int
}

const partLength = 1 << 16

func (c *column[T]) add(v T) {
	if c.n%partLength == 0 {
		// A small file is not to take the room of a large one.
		c.parts = append(c.parts, make([]T, 0, min(partLength, max(16, c.n))))
	}
	last := len(c.parts) - 1
	c.parts[last] = append(c.parts[last], v)
	c.n++
}

// from is the entries that are adjacent from entry i on; i is at most the last.
func (c *column[T]) from(i int) []T { return c.parts[i/partLength][i%partLength:] }

// at is an entry; a column without any has zeros.
func (c *column[T]) at(i int) (v T) {
	if c.n > 0 {
		v = c.parts[i/partLength][i%partLength]
	}
	return v
}

// read adds the numbers of an array, which must be of the column's type.
func (c *column[T]) read(in *jsonstream.Reader) error {
	return in.Ints(func(v int64) error {
		if int64(T(v)) != v {
			return in.Errorf("%d is out of range", v)
		}
		c.add(T(v))
		return nil
	})
}

// narrow is a list of numbers that take 32 bits each, until one comes that needs
// more: then all of them do.
type narrow[T int64 | float64] struct {
	short column[int32]
	wide  *column[T]
}

func (c *narrow[T]) add(v T) {
	if c.wide == nil {
		if short := int32(v); T(short) == v {
			c.short.add(short)
			return
		}
		c.wide = new(column[T])
		for i := range c.short.n {
			c.wide.add(T(c.short.at(i)))
		}
		c.short = column[int32]{}
	}
	c.wide.add(v)
}

func (c *narrow[T]) at(i int) T {
	if c.wide != nil {
		return c.wide.at(i)
	}
	return T(c.short.at(i))
}

// from copies entries from i on into the room there is, as long as they are
// together, and returns them.
func (c *narrow[T]) from(i int, room []T) []T {
	if c.wide != nil {
		return room[:copy(room, c.wide.from(i))]
	}
	short := c.short.from(i)
	room = room[:min(len(room), len(short))]
	for j := range room {
		room[j] = T(short[j])
	}
	return room
}

func (c *narrow[T]) len() int {
	if c.wide != nil {
		return c.wide.n
	}
	return c.short.n
}
