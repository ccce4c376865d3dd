package answer

import (
	"context"
	"errors"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/collect/store"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/budget"
)

// Service answers questions from a store.
type Service struct {
	store   store.Store
	options Options
}

// Options say what the service should know of apps.
type Options struct {
	// FirstParty are the hosts of an app's own scripts, in addition to that of the page.
	FirstParty func(app string) []string
}

// New makes a service.
func New(s store.Store, o Options) *Service { return &Service{s, o} }

var errStub = errors.New("not built yet")

// Values are the labels and their values.
func (s *Service) Values(ctx context.Context, of store.Selection) (*Values, error) {
	return nil, errStub
}

// Overview has a row for each group of labels.
func (s *Service) Overview(ctx context.Context, of store.Selection, by []string) (*Overview, error) {
	return nil, errStub
}

// Result is a profile of a selection: what all sessions did, in source positions, attributed.
type Result struct {
	Profile *profile.Profile
	// Scale is how many ticks of all sessions a tick of Profile represents.
	Scale float64
	// Notes say what is missing: maps, or stacks beyond a limit.
	Notes []string
	// Source is the text of a source file, if a map has it.
	Source func(file string) (string, bool)
}

// ProfileOptions say how a profile is made.
type ProfileOptions struct {
	KeepIgnored bool // keep frames of frameworks instead of folding them into their callers
	Deployed    bool // keep deployed positions
}

// Profile is the profile of a selection.
func (s *Service) Profile(ctx context.Context, of store.Selection, o ProfileOptions) (*Result, error) {
	return nil, errStub
}

// Functions are the hottest functions.
func (s *Service) Functions(ctx context.Context, of store.Selection, o ProfileOptions, limit int) (*Functions, error) {
	return nil, errStub
}

// Diff compares two selections.
func (s *Service) Diff(ctx context.Context, before, after store.Selection, limit int) (*Diff, error) {
	return nil, errStub
}

// Trend is the share of a function over time. The function is named as Functions names it; a
// zero Line is any.
func (s *Service) Trend(ctx context.Context, of store.Selection, f Function, step time.Duration) (*Trend, error) {
	return nil, errStub
}

// Slices are what was slow.
func (s *Service) Slices(ctx context.Context, of store.Selection, q store.SliceQuery) (*Slices, error) {
	return nil, errStub
}

// Slice is one slice, and its profile.
func (s *Service) Slice(ctx context.Context, app string, id record.ID) (*Slice, *Result, error) {
	return nil, nil, errStub
}

// Examples are chunks that are kept whole.
func (s *Service) Examples(ctx context.Context, of store.Selection, limit int) (*Examples, error) {
	return nil, errStub
}

// Example is the profile of one.
func (s *Service) Example(ctx context.Context, app string, id record.ID) (*Result, error) {
	return nil, errStub
}

// Budgets holds a selection to budgets.
func (s *Service) Budgets(ctx context.Context, of store.Selection, f *budget.File) (*budget.Result, error) {
	return nil, errStub
}
