package format

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
	"github.com/fieldprof/fieldprof/profile/format/internal/gzipped"
	"github.com/fieldprof/fieldprof/profile/format/wicg"
)

const sniffLength = 4096

// Found is the format of a file, and why it was recognized.
type Found struct {
	Format
	Why string // "it has the key \"timeDeltas\""
}

// TooMuch is the error, somewhere in its chain, of a gzipped file that unzips to more
// than Read accepts without AnySize.
type TooMuch = gzipped.TooMuch

// TooMany is the error, somewhere in its chain, of a file with more frames, or anything else,
// than its reader was told to accept.
type TooMany = codec.TooMany

// Options say how files are read. The zero value bounds what is unzipped.
type Options struct {
	AnySize bool // unzip however much there is
}

// Read recognizes the format of a file by its first bytes, reads the profile, and
// returns both. If the bytes fit several formats, or none, the extension of path
// (which may be "") decides. Any format may be gzipped; the unzipped size is bounded
// (TooMuch).
func Read(r io.Reader, path string) (*profile.Profile, Format, error) {
	return Options{}.Read(r, path)
}

// Read is the function of this name, with options.
func (o Options) Read(r io.Reader, path string) (*profile.Profile, Format, error) {
	text, found, err := o.Open(r, path)
	if err != nil {
		return nil, Format{}, err
	}
	p, err := found.Read(text)
	return p, found.Format, err
}

// Open prepares a file that may be gzipped for reading, and says which format it
// is in.
func (o Options) Open(r io.Reader, path string) (*bufio.Reader, Found, error) {
	in := bufio.NewReaderSize(r, sniffLength)
	head, err := begin(in)
	if err != nil {
		return nil, Found{}, err
	}
	if !gzipped.Is(head) {
		found, err := Sniff(in, path)
		return in, found, err
	}
	plain, err := gzipped.Unzip(in, o.AnySize)
	if err != nil {
		return nil, Found{}, err
	}
	in = bufio.NewReaderSize(plain, sniffLength)
	if head, err = begin(in); err != nil {
		return nil, Found{}, err
	}
	if gzipped.Is(head) {
		return nil, Found{}, errors.New("it is gzipped twice: unzip it once")
	}
	found, err := sniffGzipped(in, head, path)
	return in, found, err
}

// sniffGzipped is Sniff for a gzipped file. profile.proto always is gzipped, so binary
// or unrecognized content is most likely that.
func sniffGzipped(in *bufio.Reader, head []byte, path string) (Found, error) {
	found, err := Sniff(in, path)
	isOTLP := found.Name == "otlp" && (len(head) > 2 && head[0] == 0x0a && head[2] != 0x08 && head[2] != 0x10)
	if named, byName := ForPath(path); err != nil || found.Name == "otlp" && !isOTLP && !(byName == nil && named.Name == "otlp") {
		pprof, _ := ByName("pprof")
		return Found{pprof, "it is gzipped"}, nil
	}
	return found, err
}

// begin is peek after a byte order mark, which editors put before a text.
func begin(in *bufio.Reader) ([]byte, error) {
	head, err := peek(in)
	if err != nil || !bytes.HasPrefix(head, []byte("\ufeff")) {
		return head, err
	}
	_, _ = in.Discard(len("\ufeff")) // of what is there: it cannot fail
	return peek(in)
}

func peek(in *bufio.Reader) ([]byte, error) {
	head, err := in.Peek(sniffLength)
	if len(head) == 0 && err != nil && err != io.EOF {
		return nil, err
	}
	return head, nil // a later fault comes again
}

// Sniff recognizes the format of what the reader holds, without consuming any of it.
func Sniff(in *bufio.Reader, path string) (Found, error) {
	head, err := peek(in)
	if err != nil {
		return Found{}, err
	}
	if len(head) == 0 {
		return Found{}, errors.New("the file is empty")
	}
	if why := wicg.SniffEnvelope(head); why != "" { // whatever it is called: a server chose the name
		f, err := ByName("wicg")
		return Found{f, why}, err
	}
	named, err := ForPath(path)
	for _, f := range candidates(named) {
		why := f.sniff(head)
		if why != "" && f.Name == named.Name {
			why += ", and its extension says so"
		}
		if why != "" {
			return Found{f, why}, nil
		}
	}
	if err == nil {
		return Found{named, "its extension says so, though its first bytes do not"}, nil // its reader says best what is wrong
	}
	return Found{}, fmt.Errorf("%w: it starts with %q; known are %s", ErrUnknown, head[:min(16, len(head))], extensions())
}

// ErrUnknown says that a file is of no known format.
var ErrUnknown = errors.New("not a profile of a known format")

// candidates lists all formats in the order in which a file is tried: first the one
// that its name says, last those that accept the files of others.
func candidates(named Format) []Format {
	rank := func(f Format) int {
		switch {
		case f.note&generic != 0:
			return 2
		case f.Name == named.Name:
			return 0
		}
		return 1
	}
	list := All()
	slices.SortStableFunc(list, func(x, y Format) int { return rank(x) - rank(y) })
	return list
}
