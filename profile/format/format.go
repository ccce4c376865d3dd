// Package format chooses among the file formats of profiles, by a file's
// extension or by its first bytes. Each format is a package of its own below;
// its documentation says what it keeps and what it drops.
//
// Writers take attributed profiles (see profile.Attribute) and write them as
// they are.
package format

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/cpuprofile"
	"github.com/fieldprof/fieldprof/profile/format/folded"
	"github.com/fieldprof/fieldprof/profile/format/gecko"
	"github.com/fieldprof/fieldprof/profile/format/mozilla"
	"github.com/fieldprof/fieldprof/profile/format/pprof"
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

	// sniff says whether the first bytes of a file (up to sniffLength) look
	// like this format.
	sniff func([]byte) bool
}

const sniffLength = 4096

var formats = []Format{
	{"cpuprofile", "Chrome DevTools, VS Code, Node", []string{".cpuprofile"}, cpuprofile.Write, cpuprofile.Read, sniffCPUProfile},
	{"pprof", "go tool pprof", []string{".pprof", ".pb.gz", ".pb"}, pprof.Write, pprof.Read, sniffPprof},
	{"folded", "folded stacks, for flame graphs", []string{".folded", ".collapsed", ".txt"}, folded.Write, folded.Read, sniffFolded},
	{"xs", "Moddable XS: xsbug", []string{".xs.cpuprofile"}, xs.Write, xs.Read, sniffXS},
	{"firefox", "Firefox Profiler", []string{".firefox.json"}, gecko.Write, gecko.Read, sniffFirefox},
	{"firefox-gz", "Firefox Profiler, gzipped", []string{".json.gz"}, gecko.WriteGzip, gecko.Read, sniffFirefoxGzip},
	{"gecko", "Firefox's own profiler", []string{".gecko.json"}, gecko.WriteRaw, gecko.Read, sniffGecko},
	{"gecko5", "the same of 2016, version 5", []string{".gecko5.json"}, gecko.WriteVersion5, gecko.Read, sniffGecko5},
	{"wicg", "JS Self-Profiling API", []string{".wicg.json"}, wicg.Write, wicg.Read, sniffWICG},
	{"wicg1", "the same of 2018, version 1", []string{".wicg1.json"}, wicg.WriteVersion1, wicg.Read, sniffWICG1},
	{"mozilla", "results() of Mozilla's draft of 2012", []string{".mozilla.json"}, mozilla.Write, mozilla.Read, sniffMozilla},
	{"mozilla-samples", "samples() of the same", []string{".mozilla-samples.json"}, mozilla.WriteSamples, mozilla.Read, sniffMozillaSamples},
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
	return Format{}, fmt.Errorf("%q: no profile format has this extension; known are %s", path, extensions())
}

func extensions() string {
	var all []string
	for _, f := range formats {
		all = append(all, fmt.Sprintf("%s (%s)", strings.Join(f.Extensions, " "), f.Name))
	}
	return strings.Join(all, ", ")
}

// Read reads a profile whose first bytes say which format it is in, and
// returns the format with it. Where they could be of several, or of none, the
// extension of path (which may be "") decides.
func Read(r io.Reader, path string) (*profile.Profile, Format, error) {
	in := bufio.NewReaderSize(r, sniffLength)
	f, err := Sniff(in, path)
	if err != nil {
		return nil, Format{}, err
	}
	p, err := f.Read(in)
	return p, f, err
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

// Sniff says which format the reader is about to give, without taking anything
// from it.
func Sniff(in *bufio.Reader, path string) (Format, error) {
	head, err := in.Peek(sniffLength)
	if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
		return Format{}, err
	}
	if len(head) == 0 {
		return Format{}, errors.New("the file is empty")
	}
	if f, err := ForPath(path); err == nil && f.sniff(head) {
		return f, nil
	}
	for _, f := range formats {
		if f.sniff(head) {
			return f, nil
		}
	}
	if f, err := ForPath(path); err == nil {
		return f, nil // its reader says best what is wrong
	}
	return Format{}, fmt.Errorf("not a profile of a known format: it starts with %q; known are %s", head[:min(16, len(head))], extensions())
}

func sniffCPUProfile(head []byte) bool {
	head = bytes.TrimLeft(head, " \t\r\n")
	if !bytes.HasPrefix(head, []byte("{")) || sniffXS(head) || isGecko(head) {
		return false
	}
	for _, key := range []string{`"nodes"`, `"head"`, `"timeDeltas"`, `"startTime"`} {
		if bytes.Contains(head, []byte(key)) {
			return true
		}
	}
	return false
}

// sniffPprof knows gzip, and the field that a profile starts with, a sample type.
func sniffPprof(head []byte) bool {
	return bytes.HasPrefix(head, []byte("\x1f\x8b")) && !sniffFirefoxGzip(head) || len(head) > 2 && head[0] == 0x0a && bytes.IndexByte(head, 0) >= 0
}

// sniffFolded wants a first line that ends in a number.
func sniffFolded(head []byte) bool {
	if bytes.HasPrefix(head, []byte("\x1f\x8b")) {
		return false
	}
	for line := range strings.Lines(string(head)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		i := strings.LastIndexAny(line, " \t")
		return i > 0 && line[0] != '{' && strings.Trim(line[i+1:], "0123456789.") == ""
	}
	return false
}
