package ingest

import (
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/profile"
)

// message is what a decoder makes of a request, or of a part of one: as it was sent, in the
// terms of all formats. finish cleans and bounds it.
type message struct {
	source string
	id     record.ID
	view   record.ID // zero: unknown
	number int
	// began is by the page's clock; zero: unknown. skew is how far that clock is known to be
	// ahead of ours.
	began   time.Time
	skew    time.Duration
	labels  record.Labels
	custom  map[string]string // labels of the app's own, as it calls them
	rate    float64           // 0: unknown
	profile *profile.Profile  // nil: there are only counts
	counts  *record.Counts
	// If the profile is a slice: its mark, and how many slices it represents.
	mark   *profile.Mark
	weight float64
	// Of a slice in parts, one is the slice. The time of the others counts, and they do not.
	isRest bool
	// refused is set if it must not be kept, with the reason.
	refused string
}

func idOf(req *request, texts ...string) record.ID {
	return record.IDOf(append([]string{req.app.Name}, texts...)...)
}
