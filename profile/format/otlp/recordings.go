package otlp

import (
	"fmt"
	"io"
	"iter"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/pprofile"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
)

// Limits bound what ReadAll reads; 0 means no bound.
type Limits struct {
	Frames   int64 // of all stacks, when they are spelled out
	Profiles int
}

// ReadAll reads all recordings of a message: collectors send those of many services at once. The
// profiles of a scope that began at the same moment, which is 0 if it is not known, are one recording, and one
// of them is read: the first of times, or else of counts. Two of the same type are of two recordings. It also returns the
// number of recordings that have neither.
func (l Limits) ReadAll(r io.Reader) (all []*profile.Profile, others int, _ error) {
	data, err := codec.Whole(r, MaxBytes)
	if err != nil {
		return nil, 0, fmt.Errorf("otlp: %w", err)
	}
	in, message, err := open(data, l.Frames)
	if err != nil {
		return nil, 0, fmt.Errorf("otlp: %w", err)
	}
	for _, of := range recordings(message) {
		if !of.readable {
			others++
			continue
		}
		if l.Profiles > 0 && len(all) == l.Profiles {
			return nil, 0, fmt.Errorf("otlp: %w", &codec.TooMany{What: "profiles in a message", Most: int64(l.Profiles)})
		}
		p, err := in.recording(of)
		if p, err = codec.Checked("otlp", p, err); err != nil {
			return nil, 0, err
		}
		all = append(all, p)
	}
	if len(all) == 0 {
		return nil, 0, fmt.Errorf("otlp: %w", nothing(message))
	}
	return all, others, nil
}

// candidate is a profile that its recording may be read from.
type candidate struct {
	profile  pprofile.Profile
	program  string
	readable bool
	scale    int64 // nanoseconds of a value; 0: it is a count
}

// isBetterThan reports whether a profile is to be read instead of one before it.
func (r candidate) isBetterThan(other candidate) bool {
	return r.readable && (!other.readable || other.scale == 0 && r.scale > 0)
}

// recordings returns the recordings of a message, in its order.
func recordings(message pprofile.Profiles) (all []candidate) {
	type moment struct {
		scope int
		began pcommon.Timestamp
	}
	type key struct {
		moment
		number int // among those of its type
	}
	type kind struct {
		moment
		name, unit string
	}
	index, met := map[key]int{}, map[kind]int{}
	for scope, of := range profiles(message) {
		at, is := moment{scope, of.profile.Time()}, of.profile.SampleType()
		named := kind{at, text(message.Dictionary(), is.TypeStrindex()), text(message.Dictionary(), is.UnitStrindex())}
		k := key{at, met[named]}
		met[named]++
		i, known := index[k]
		switch {
		case !known:
			index[k] = len(all)
			all = append(all, of)
		case of.isBetterThan(all[i]):
			all[i] = of
		}
	}
	return all
}

// first is the profile that a file is read as: the first of times, or else of counts.
func first(message pprofile.Profiles) (best candidate, _ error) {
	for _, of := range profiles(message) {
		if of.isBetterThan(best) {
			best = of
		}
	}
	if !best.readable {
		return best, nothing(message)
	}
	return best, nil
}

// profiles goes through the profiles of a message, each with the number of its scope.
func profiles(message pprofile.Profiles) iter.Seq2[int, candidate] {
	return func(yield func(int, candidate) bool) {
		number := 0
		for _, resource := range message.ResourceProfiles().All() {
			program := ""
			if name, ok := resource.Resource().Attributes().Get(serviceName); ok {
				program = name.AsString()
			}
			for _, scope := range resource.ScopeProfiles().All() {
				number++
				for _, p := range scope.Profiles().All() {
					unit := text(message.Dictionary(), p.SampleType().UnitStrindex())
					scale := codec.Units[unit]
					if !yield(number, candidate{p, program, scale > 0 || unit == "count", scale}) {
						return
					}
				}
			}
		}
	}
}

// mostTypes bounds the types that an error names.
const mostTypes = 20

// nothing is the error of a message in which no profile can be read.
func nothing(message pprofile.Profiles) error {
	var types []string
	for _, of := range profiles(message) {
		if len(types) == mostTypes {
			break
		}
		d, kind := message.Dictionary(), of.profile.SampleType()
		types = append(types, fmt.Sprintf("%.40q in %.40q", text(d, kind.TypeStrindex()), text(d, kind.UnitStrindex())))
	}
	return fmt.Errorf("no profile of times or counts; there is %q", types)
}
