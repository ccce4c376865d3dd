// Package format chooses among the file formats of profiles, by a file's
// extension or by its first bytes. Each format is a package of its own below;
// its documentation says what it keeps and what it drops.
//
// Writers take attributed profiles (see profile.Attribute) and write them as
// they are.
package format

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

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
	Name       string   // as a user asks for it: "pprof"
	Title      string   // as a user knows it
	Extensions []string // with the dot, lower case, the usual one first
	Write      func(io.Writer, *profile.Profile) error
	Read       func(io.Reader) (*profile.Profile, error)
	Keeps      Features // what Write writes and Read takes back, see Drops

	// sniff says why the first bytes of a file (up to sniffLength) look like this
	// format, "" if they do not.
	sniff func([]byte) string
}

var formats = []Format{
	{"cpuprofile", "Chrome DevTools, VS Code, Node", []string{".cpuprofile"}, cpuprofile.Write, cpuprofile.Read,
		Times | Samples | Weights | Skid | Kinds | Interval | Files | Definitions | Columns | Positions | Flags | Health, sniffCPUProfile},
	{"pprof", "go tool pprof", []string{".pprof", ".pb.gz", ".pb"}, pprof.Write, pprof.Read,
		Samples | Kinds | Interval | Files | Definitions | Positions | CallerPositions | Health, sniffPprof},
	{"folded", "folded stacks, for flame graphs", []string{".folded", ".collapsed", ".txt"}, folded.Write, folded.Read,
		0, sniffFolded},
	{"speedscope", "speedscope", []string{".speedscope.json", ".speedscope"}, speedscope.Write, speedscope.Read,
		Samples | Weights | Interval | Files | Definitions | Columns | Health, sniffSpeedscope},
	{"chrometrace", "Chrome's Performance panel", []string{".trace.json", ".chrome.json", ".trace"}, chrometrace.Write, chrometrace.Read,
		Interval | Files | Definitions | Columns | Positions | Health, sniffTrace},
	{"otlp", "OpenTelemetry", []string{".otlp"}, otlp.Write, otlp.Read,
		Times | Samples | Weights | Kinds | Interval | Files | Definitions | Positions | CallerPositions | Health, sniffOTLP},
	{"sentry", "Sentry's profile chunks", []string{".sentry.json"}, sentry.Write, sentry.Read,
		Samples | Weights | Interval | Files | Definitions | Columns | Health, sniffSentry},
	{"firefox", "Firefox Profiler", []string{".firefox.json", ".json"}, gecko.Write, gecko.Read,
		everything, sniffFirefox},
	{"gecko", "Firefox's own profiler", []string{".gecko.json"}, gecko.WriteRaw, gecko.Read,
		everything, sniffGecko},
	{"gecko5", "the same of 2016, version 5", []string{".gecko5.json"}, gecko.WriteVersion5, gecko.Read,
		everything, sniffGecko5},
	{"wicg", "JS Self-Profiling API", []string{".wicg.json"}, wicg.Write, wicg.Read,
		Times | Samples | Weights | Skid | Kinds | Interval | Files | Definitions | Columns | Flags | Health, sniffWICG},
	{"wicg1", "the same of 2018, version 1", []string{".wicg1.json"}, wicg.WriteVersion1, wicg.Read,
		Interval | Files | Definitions | Columns, sniffWICG1},
	{"mozilla", "results() of Mozilla's draft of 2012", []string{".mozilla.json"}, mozilla.Write, mozilla.Read,
		Interval | Files | Definitions | Columns | Positions | CallerPositions | Health, sniffMozilla},
	{"mozilla-samples", "samples() of the same", []string{".mozilla-samples.json"}, mozilla.WriteSamples, mozilla.Read,
		Samples | Weights | Files | Definitions | Columns | Positions | CallerPositions, sniffMozillaSamples},
	{"xs", "Moddable XS: xsbug", []string{".xs.cpuprofile"}, xs.Write, xs.Read,
		everything, sniffXS},
}

// All returns the formats, in the order in which they are told to users.
func All() []Format { return append([]Format(nil), formats...) }

// ByName returns the format of a name.
func ByName(name string) (Format, error) {
	var names []string
	for _, f := range formats {
		if f.Name == strings.ToLower(name) {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return Format{}, fmt.Errorf("unknown format %q; known are %s", name, strings.Join(names, ", "))
}

// ForPath returns the format that a file's extension stands for, the longest
// that is known.
func ForPath(path string) (Format, error) {
	base := strings.ToLower(filepath.Base(path))
	if !strings.HasSuffix(base, ".pb.gz") {
		base = strings.TrimSuffix(base, ".gz")
	}
	best, length := -1, 0
	for i, f := range formats {
		for _, e := range f.Extensions {
			if strings.HasSuffix(base, e) && len(e) > length {
				best, length = i, len(e)
			}
		}
	}
	if best >= 0 {
		return formats[best], nil
	}
	if base != strings.ToLower(filepath.Base(path)) && filepath.Ext(base) == "" {
		return Format{}, fmt.Errorf("%q says that it is gzipped, but not which format is: put its extension before .gz, such as %q; known are %s", path, base+".cpuprofile.gz", extensions())
	}
	return Format{}, fmt.Errorf("%q: no profile format has this extension; known are %s", path, extensions())
}

func extensions() string {
	var all []string
	for _, f := range formats {
		all = append(all, fmt.Sprintf("%s (%s)", strings.Join(f.Extensions, " "), f.Name))
	}
	return strings.Join(all, ", ")
}

// WriteAs writes a profile as a file of this name should hold it: gzipped if the
// name ends in .gz. Those of pprof always are.
func (f Format) WriteAs(w io.Writer, path string, p *profile.Profile) error {
	switch {
	case !strings.HasSuffix(strings.ToLower(path), ".gz"), f.Name == "pprof":
		return f.Write(w, p)
	}
	z := gzip.NewWriter(w)
	if err := f.Write(z, p); err != nil {
		return err
	}
	return z.Close()
}

// ReadFile reads a profile from a file, as Read does.
func ReadFile(path string) (*profile.Profile, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p, _, err := Read(f, path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}
