package record

import (
	"encoding/binary"
	"errors"
	"math"
	"time"
)

// writer appends values to a slice: numbers as varints, texts with their lengths.
type writer struct{ b []byte }

func (w *writer) byte(v byte)              { w.b = append(w.b, v) }
func (w *writer) uint(v uint64)            { w.b = binary.AppendUvarint(w.b, v) }
func (w *writer) int(v int64)              { w.b = binary.AppendVarint(w.b, v) }
func (w *writer) float(v float64)          { w.b = binary.LittleEndian.AppendUint64(w.b, math.Float64bits(v)) }
func (w *writer) id(v ID)                  { w.b = append(w.b, v[:]...) }
func (w *writer) duration(v time.Duration) { w.int(int64(v)) }

func (w *writer) bool(v bool) {
	if v {
		w.byte(1)
	} else {
		w.byte(0)
	}
}

func (w *writer) text(v string) {
	w.uint(uint64(len(v)))
	w.b = append(w.b, v...)
}

func (w *writer) bytes(v []byte) {
	w.uint(uint64(len(v)))
	w.b = append(w.b, v...)
}

func (w *writer) time(v time.Time) {
	w.int(v.Unix())
	w.uint(uint64(v.Nanosecond()))
}

var errDamaged = errors.New("not what was written")

// reader reads what writer wrote. After the first fault every value is zero, and err is set.
type reader struct {
	b   []byte
	err error
}

func (r *reader) fail() {
	r.b = nil
	if r.err == nil {
		r.err = errDamaged
	}
}

// take cuts off the next n bytes; it returns nil if there are fewer.
func (r *reader) take(n uint64) []byte {
	if n > uint64(len(r.b)) {
		r.fail()
		return nil
	}
	taken := r.b[:n]
	r.b = r.b[n:]
	return taken
}

func (r *reader) byte() byte {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) bool() bool { return r.byte() != 0 }

func (r *reader) uint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) int() int64 {
	v, n := binary.Varint(r.b)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.b = r.b[n:]
	return v
}

// int32 is a number that is not negative.
func (r *reader) int32() int32 {
	v := r.uint()
	if v > math.MaxInt32 {
		r.fail()
		return 0
	}
	return int32(v)
}

// count is the number of rows that follow, each of which has at least so many bytes. So the
// memory made for them is at most a small multiple of the input.
func (r *reader) count(bytes int) int {
	n := r.uint()
	if n > uint64(len(r.b)/bytes) {
		r.fail()
		return 0
	}
	return int(n)
}

func (r *reader) text() string            { return string(r.take(r.uint())) }
func (r *reader) duration() time.Duration { return time.Duration(r.int()) }

// bytes returns nil for none.
func (r *reader) bytes() []byte { return append([]byte(nil), r.take(r.uint())...) }

func (r *reader) float() float64 {
	if b := r.take(8); b != nil {
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	return 0
}

func (r *reader) id() (id ID) {
	copy(id[:], r.take(uint64(len(id))))
	return id
}

func (r *reader) time() time.Time {
	seconds, nanoseconds := r.int(), r.uint()
	if nanoseconds >= 1e9 {
		r.fail()
		return time.Time{}
	}
	return time.Unix(seconds, int64(nanoseconds)).UTC()
}
