package gojahost

import (
	"math"
	"time"

	"github.com/fieldprof/fieldprof/profile"
)

// Profile returns the recording so far, as far as it is kept: the stacks as captured,
// with their site kinds, in original positions where the scripts' maps know them.
// profile.Attribute turns it into time per function. Ticks that wait to be taken count
// as lost.
//
// Profile, Last, Between, Drain and Reset may be called from any goroutine, while
// scripts run. A host of a pool has only its own samples.
func (h *Host) Profile() *profile.Profile { return h.recording.profile(everything(h.id)) }

// Last returns the part of the recording that was taken within a time before now, or
// before the clock was stopped.
func (h *Host) Last(d time.Duration) *profile.Profile {
	return h.recording.profile(h.recording.latest(h.id, d))
}

// Between returns the part of the recording from one moment to another. Its account is
// that of its samples; ticks that had fallen out of the recording are counted as dropped,
// with those of the segments that the part touches.
func (h *Host) Between(from, to time.Time) *profile.Profile {
	return h.recording.profile(h.recording.window(h.id, from, to))
}

// Drain returns the recording and empties it: profiles from one Drain to the next have
// each tick once. A host of a pool leaves that to the pool, and returns its Profile.
func (h *Host) Drain() *profile.Profile {
	q := everything(h.id)
	q.drains = h.recording.options.alone
	return h.recording.profile(q)
}

// Reset empties the recording, unless it is a pool's.
func (h *Host) Reset() {
	if h.recording.options.alone {
		h.recording.snapshot(query{drains: true})
	}
}

// query is a part of a recording.
type query struct {
	from, to int64          // nanoseconds since the coordinator was made
	all      bool           // all that is kept
	drains   bool           // and empty it
	host     int32          // 0: of all
	tags     profile.TagsID // -1: any
	outside  bool           // with the ticks outside the program
}

func everything(host int32) query {
	return query{from: math.MinInt64, to: math.MaxInt64, all: true, host: host, tags: anyTags, outside: true}
}

// anyTags is for queries that do not ask for tags.
const anyTags profile.TagsID = -1

func (r *recording) latest(host int32, d time.Duration) query {
	now := r.coordinator.Elapsed()
	return query{from: max(now-int64(d)+1, 0), to: math.MaxInt64, host: host, tags: anyTags, outside: true}
}

func (r *recording) window(host int32, from, to time.Time) query {
	epoch := r.coordinator.Epoch()
	return query{from: max(int64(from.Sub(epoch)), 0), to: max(int64(to.Sub(epoch)), 0), host: host, tags: anyTags, outside: true}
}

// count counts the samples of a chunk that are in the part.
func (q *query) count(chunk []sample) (n int) {
	if q.all && q.host == 0 && q.tags == anyTags {
		return len(chunk)
	}
	for i := range chunk {
		if q.wants(&chunk[i]) {
			n++
		}
	}
	return n
}

// wants reports whether a sample is in the part.
func (q *query) wants(s *sample) bool {
	return s.time >= q.from && s.time < q.to && (q.host == 0 || s.host == q.host) && (q.tags == anyTags || s.tags == q.tags)
}
