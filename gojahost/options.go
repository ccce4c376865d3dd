package gojahost

import "time"

// Options bound what a host, or a pool, keeps, and say what it measures. The zero value
// is what New takes.
type Options struct {
	// Keep is how long samples are kept; 0: as long as there is room. Older ones fall
	// out, a sixteenth of the time or of MaxSamples at once, and are counted as
	// dropped.
	Keep time.Duration
	// MaxSamples bounds the samples that are kept; 0: the constant MaxSamples.
	MaxSamples int
	// MaxTags bounds the different sets of tags; 0: DefaultMaxTags. Further ones
	// are one set, {"tags", OtherTag}.
	MaxTags int
	// CPU measures the processor time of each task, where the system tells that of a
	// thread: Usage has it, and budgets count it. A task is then locked to its thread,
	// which makes it a little longer (about a microsecond).
	CPU bool

	alone bool // of a host that is in no pool
}

// DefaultMaxTags is the bound of different sets of tags if Options has none.
const DefaultMaxTags = 1000

func (o Options) withDefaults() Options {
	if o.MaxSamples <= 0 {
		o.MaxSamples = MaxSamples
	}
	if o.MaxTags <= 0 {
		o.MaxTags = DefaultMaxTags
	}
	o.Keep = max(o.Keep, 0)
	return o
}
