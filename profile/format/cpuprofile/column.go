package cpuprofile

import "github.com/fieldprof/fieldprof/profile/format/internal/jsonstream"

// column is a list that grows without being copied: there may be a hundred
// million entries, and nobody says so beforehand.
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
