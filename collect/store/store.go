// Package store says what a store of field profiles does. The stores are packages below;
// storetest has the tests that each of them must pass, and memory is the simplest of them.
//
// # Data
//
// A chunk adds ticks to its series, in the minute in which it began: for each site (a stack in
// deployed coordinates, with the kind and marker of its samples) their number. So the
// store grows with how much differs, not with how much is sent. Sites are named by a hash.
// Slices and examples are kept unchanged.
//
// # Exactly once
//
// A chunk counts once, however often it is written: its ID decides. A store remembers IDs for
// at least Remembered.
package store

import (
	"context"
	"errors"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/profile"
)

// Remembered is for how long a store knows the chunks and page views that it has been given.
const Remembered = 48 * time.Hour

// ErrUnknown says that something asked for does not exist, or no longer.
var ErrUnknown = errors.New("not in the store")

// ErrRefused says that a store will never take a batch, however often it is asked: something in it
// is more than the store can hold. Errors that may pass must not be ErrRefused.
var ErrRefused = errors.New("the store refuses it")

// ErrNoRoom says that a store has no room for another file.
var ErrNoRoom = errors.New("the files of all releases take what the store has for them: shorten retention.releases, or wait until old ones are removed")

// Store keeps chunks and answers questions about them. It may be used by several
// goroutines.
type Store interface {
	// Write adds the chunks that it does not know yet. If it returns nil they are durable, and all
	// of them can be read. If not, the same batch may be written again: equal IDs have equal
	// chunks in the same order.
	Write(ctx context.Context, batch record.ID, chunks []*record.Chunk) (Written, error)

	// Values are the values that labels have, each with the chunks that have it, the most
	// frequent first.
	Values(ctx context.Context, s Selection) (map[string][]Value, error)
	// Totals are the sums of each group.
	Totals(ctx context.Context, s Selection, by Grouping) ([]Total, error)
	// Ticks are the ticks of each site in each group, with at most limit sites: those with the
	// most ticks.
	Ticks(ctx context.Context, s Selection, by Grouping, limit int) (*Ticks, error)
	// Sites are those that have these hashes, in any order; unknown ones are left out.
	Sites(ctx context.Context, app string, hashes []Hash) ([]Site, error)

	// Slices are what was slow, the longest first, without their traces unless they are asked for.
	Slices(ctx context.Context, s Selection, q SliceQuery) ([]record.Slice, error)
	// Slice is one, with its trace.
	Slice(ctx context.Context, app string, id record.ID) (*record.Slice, error)
	// Examples are chunks that are kept whole, the latest first, without their profiles.
	Examples(ctx context.Context, s Selection, limit int) ([]Example, error)
	// Example is one, with its profile.
	Example(ctx context.Context, app string, id record.ID) (*Example, error)

	// PutFile adds a file of a release, or replaces the one of its name; ErrNoRoom says that it cannot.
	PutFile(ctx context.Context, f File, content []byte) error
	// Files are the files of a release of an app, or of all its releases if it is "".
	Files(ctx context.Context, app, release string) ([]File, error)
	// FileContent is the content of a file.
	FileContent(ctx context.Context, app, release, name string) ([]byte, error)

	// Maintain rolls up and removes what retention says; it is called every minute or so.
	Maintain(ctx context.Context, now time.Time) error
	// Ready says whether the store can be written.
	Ready(ctx context.Context) error
	Close() error
}

// Backuper is a store that can copy itself into a new file while it is used.
type Backuper interface {
	Backup(ctx context.Context, file string) error
}

// Written says what became of a batch.
type Written struct {
	New, Known int // chunks
}

// Retention is for how long a store keeps what.
type Retention struct {
	Minutes  time.Duration `yaml:"minutes"`  // sums of a minute; then of an hour
	Hours    time.Duration `yaml:"hours"`    // sums of an hour; then of a day
	Days     time.Duration `yaml:"days"`     // sums of a day
	Slices   time.Duration `yaml:"slices"`   // slices, and examples
	Releases time.Duration `yaml:"releases"` // files of a release after its last chunk
}

// DefaultRetention is what a store keeps unless it is told otherwise.
func DefaultRetention() Retention {
	const day = 24 * time.Hour
	return Retention{Minutes: 2 * day, Hours: 30 * day, Days: 400 * day, Slices: 30 * day, Releases: 90 * day}
}

// Selection is what a question is about. Moments are cut to whole minutes, and to whole hours or
// days where older sums are.
type Selection struct {
	App      string
	From, To time.Time
	// Where has the values that a label may have; other labels may have any.
	Where map[string][]string
	// Slow asks for the time of slices instead of all time.
	Slow bool
}

// Grouping says what is added up separately. Rates and intervals always are.
type Grouping struct {
	By   []string      // labels
	Step time.Duration // of time; 0: not by time
}

// Group is one group of a grouping.
type Group struct {
	Values   []string  // of the labels, in order of By; "" if unknown
	At       time.Time // when its step began; zero without Step
	Rate     float64
	Interval time.Duration
}

// Value is a value of a label.
type Value struct {
	Text   string
	Chunks int64
}

// Total is the sum of a group.
type Total struct {
	Group
	Chunks   int64
	Ticks    int64         // of samples
	Busy     int64         // of them, those in which something ran
	Observed time.Duration // how long pages were observed
	// Views are page views. A view is in the group of its latest chunk (the highest Number), at
	// the moment of its first. Its counts are from the latest chunk that has any. Of chunks
	// with equal Numbers, which are parts of one, any decides.
	// The rest is about views whose counts are known.
	Views        int64
	Counted      int64 // views whose counts are known
	Interactions int64
	Slow         int64 // interactions above their threshold
	LongTasks    int64
	INP          record.Histogram // of views
	P75          record.Histogram // 75th percentiles of the interactions of views
}

// Ticks are the ticks of sites in groups.
type Ticks struct {
	Groups []Group
	Sums   []Sum
	// Rest is the ticks of sites beyond the limit, by group.
	Rest []int64
}

// Sum is the ticks of a site in a group.
type Sum struct {
	Group int // in Ticks.Groups
	Site  Hash
	Ticks int64
}

// SliceQuery says which slices are asked for.
type SliceQuery struct {
	What    profile.What  // "" is any
	Name    string        // "" is any
	Target  string        // "" is any
	Longest time.Duration // none that is longer; 0: any length
	Limit   int
	// Traces asks for traces, too: only for the slices whose traces have at most so many bytes together, the
	// longest slices first. 0: none is read.
	Traces int64
}

// Example is a chunk that is kept whole.
type Example struct {
	ID record.ID
	record.Series
	At      time.Time
	Ticks   int64
	Busy    int64
	Profile []byte // as record.EncodeProfile writes it
}

// Kinds of file.
const (
	FileMap    = "map"    // a source map
	FileTable  = "table"  // a function table
	FileScript = "script" // a script, for the comment that names its map
)

// File is a file of a release: a source map or a function table.
type File struct {
	App, Release string
	Name         string // a relative path with slashes: "assets/app.js.map"
	Kind         string
	DebugID      string // "" if it has none
	Size         int64
	Uploaded     time.Time
}
