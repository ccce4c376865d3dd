package format

import (
	"io"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/chrometrace"
	"github.com/fieldprof/fieldprof/profile/format/cpuprofile"
	"github.com/fieldprof/fieldprof/profile/format/folded"
	"github.com/fieldprof/fieldprof/profile/format/gecko"
	"github.com/fieldprof/fieldprof/profile/format/mozilla"
	"github.com/fieldprof/fieldprof/profile/format/otlp"
	"github.com/fieldprof/fieldprof/profile/format/pprof"
	"github.com/fieldprof/fieldprof/profile/format/sentry"
	"github.com/fieldprof/fieldprof/profile/format/speedscope"
	"github.com/fieldprof/fieldprof/profile/format/wicg"
	"github.com/fieldprof/fieldprof/profile/format/xs"
)

// Format is one file format.
type Format struct {
	Name       string   // as a user types it: "pprof"
	Title      string   // as a user knows it
	Extensions []string // with the dot, lower case, the usual one first
	Write      func(io.Writer, *profile.Profile) error
	Read       func(io.Reader) (*profile.Profile, error)
	Keeps      Features // what Write writes and Read takes back, see Drops

	// sniff says why the first bytes of a file (up to sniffLength) look like this
	// format, "" if they do not.
	sniff func(head []byte) string
	note
}

// note marks a format that needs special treatment.
type note uint8

const (
	alwaysZipped note = 1 << iota // Write always compresses
	generic                       // sniff accepts files of other formats: ask it last
	needsSamples                  // without samples, Write or Read rejects it
)

// formats is the registry, in the order in which formats are listed for users. A new
// format needs a package below this one, an entry here, and a row and a section in
// docs/formats.md; the tests of this package run on every entry.
var formats = []Format{
	{"cpuprofile", "Chrome DevTools, VS Code, Node", []string{".cpuprofile"}, cpuprofile.Write, cpuprofile.Read,
		Times | Samples | Weights | Skid | Kinds | Interval | Files | Definitions | Columns | Positions | Flags | Health | Marks | Markers, cpuprofile.Sniff, generic},
	{"pprof", "go tool pprof", []string{".pprof", ".pb.gz", ".pb"}, pprof.Write, pprof.Read,
		Samples | Kinds | Interval | Files | Definitions | Positions | CallerPositions | Health | Markers | Tags, pprof.Sniff, alwaysZipped},
	{"folded", "folded stacks, for flame graphs", []string{".folded", ".collapsed", ".txt"}, folded.Write, folded.Read,
		0, folded.Sniff, needsSamples},
	{"speedscope", "speedscope", []string{".speedscope.json", ".speedscope"}, speedscope.Write, speedscope.Read,
		Samples | Weights | Interval | Files | Definitions | Columns | Health | Marks, speedscope.Sniff, 0},
	{"chrometrace", "Chrome's Performance panel", []string{".trace.json", ".chrome.json", ".trace"}, chrometrace.Write, chrometrace.Read,
		Interval | Files | Definitions | Columns | Positions | Health | Marks, chrometrace.Sniff, 0},
	{"otlp", "OpenTelemetry", []string{".otlp"}, otlp.Write, otlp.Read,
		Times | Samples | Weights | Kinds | Interval | Files | Definitions | Positions | CallerPositions | Health | Marks | Markers, otlp.Sniff, 0},
	{"sentry", "Sentry's profile chunks", []string{".sentry.json"}, sentry.Write, sentry.Read,
		Samples | Weights | Interval | Files | Definitions | Columns | Health | Marks, sentry.Sniff, needsSamples},
	{"firefox", "Firefox Profiler", []string{".firefox.json", ".json"}, gecko.Write, gecko.Read,
		everything &^ Tags, gecko.Sniff, 0},
	{"gecko", "Firefox's own profiler", []string{".gecko.json"}, gecko.WriteRaw, gecko.Read,
		everything &^ Tags, gecko.SniffRaw, 0},
	{"gecko5", "the same of 2016, version 5", []string{".gecko5.json"}, gecko.WriteVersion5, gecko.Read,
		everything &^ Tags, gecko.SniffVersion5, 0},
	{"wicg", "JS Self-Profiling API", []string{".wicg.json"}, wicg.Write, wicg.Read,
		Times | Samples | Weights | Skid | Kinds | Interval | Files | Definitions | Columns | Flags | Health | Marks | Markers, wicg.Sniff, 0},
	{"wicg1", "the same of 2018, version 1", []string{".wicg1.json"}, wicg.WriteVersion1, wicg.Read,
		Interval | Files | Definitions | Columns, wicg.SniffVersion1, 0},
	{"mozilla", "results() of Mozilla's draft of 2012", []string{".mozilla.json"}, mozilla.Write, mozilla.Read,
		Interval | Files | Definitions | Columns | Positions | CallerPositions | Health, mozilla.Sniff, 0},
	{"mozilla-samples", "samples() of the same", []string{".mozilla-samples.json"}, mozilla.WriteSamples, mozilla.Read,
		Samples | Weights | Files | Definitions | Columns | Positions | CallerPositions, mozilla.SniffSamples, 0},
	{"xs", "Moddable XS: xsbug", []string{".xs.cpuprofile"}, xs.Write, xs.Read,
		everything &^ Tags, xs.Sniff, 0},
}
