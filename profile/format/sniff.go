package format

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/gzipped"
)

const sniffLength = 4096

// Found says which format a file is in, and why it is taken for it.
type Found struct {
	Format
	Why string // "it has the key \"timeDeltas\""
}

// TooMuch is the error, somewhere in its chain, of a gzipped file that holds more
// than Read takes; with AnySize it is taken.
type TooMuch = gzipped.TooMuch

// Options say how files are read. The zero value bounds what is unzipped.
type Options struct {
	AnySize bool // unzip however much there is
}

// Read reads a profile whose first bytes say which format it is in, and returns
// the format with it. Where they could be of several, or of none, the extension
// of path (which may be "") decides. All formats may be gzipped; what that holds
// is bounded (TooMuch).
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
func Open(r io.Reader, path string) (*bufio.Reader, Found, error) { return Options{}.Open(r, path) }

// Open is the function of this name, with options.
func (o Options) Open(r io.Reader, path string) (*bufio.Reader, Found, error) {
	in := bufio.NewReaderSize(r, sniffLength)
	head, err := peek(in)
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
	if head, err = peek(in); err != nil {
		return nil, Found{}, err
	}
	if gzipped.Is(head) {
		return nil, Found{}, errors.New("it is gzipped twice: unzip it once")
	}
	found, err := sniffGzipped(in, head, path)
	return in, found, err
}

// sniffGzipped is Sniff for what was gzipped. profile.proto always is: of what is no
// text, or nothing that is known, it is the likeliest.
func sniffGzipped(in *bufio.Reader, head []byte, path string) (Found, error) {
	found, err := Sniff(in, path)
	isOTLP := found.Name == "otlp" && (len(head) > 2 && head[0] == 0x0a && head[2] != 0x08 && head[2] != 0x10)
	if named, byName := ForPath(path); err != nil || found.Name == "otlp" && !isOTLP && !(byName == nil && named.Name == "otlp") {
		pprof, _ := ByName("pprof")
		return Found{pprof, "it is gzipped"}, nil
	}
	return found, err
}

func peek(in *bufio.Reader) ([]byte, error) {
	head, err := in.Peek(sniffLength)
	if len(head) == 0 && err != nil && err != io.EOF {
		return nil, err
	}
	return head, nil // a fault behind it comes again
}

// Sniff says which format the reader is about to give, without taking anything
// from it.
func Sniff(in *bufio.Reader, path string) (Found, error) {
	head, err := peek(in)
	if err != nil {
		return Found{}, err
	}
	if len(head) == 0 {
		return Found{}, errors.New("the file is empty")
	}
	if why := sniffEnvelope(head); why != "" { // whatever it is called: a server chose the name
		f, err := ByName("wicg")
		return Found{f, why}, err
	}
	named, err := ForPath(path)
	byName := err == nil
	if byName {
		if why := named.sniff(head); why != "" {
			return Found{named, why + ", and its extension says so"}, nil
		}
	}
	for _, f := range formats {
		if why := f.sniff(head); why != "" {
			return Found{f, why}, nil
		}
	}
	if byName {
		return Found{named, "its extension says so, though its first bytes do not"}, nil // its reader says best what is wrong
	}
	return Found{}, fmt.Errorf("not a profile of a known format: it starts with %q; known are %s", head[:min(16, len(head))], extensions())
}

// has says which of the keys the beginning of a JSON object holds.
func has(head []byte, keys ...string) string {
	if head = bytes.TrimLeft(head, " \t\r\n"); !bytes.HasPrefix(head, []byte("{")) {
		return ""
	}
	for _, key := range keys {
		if bytes.Contains(head, []byte(`"`+key+`"`)) {
			return fmt.Sprintf("it has the key %q", key)
		}
	}
	return ""
}

func sniffCPUProfile(head []byte) string {
	if sniffTrace(head) != "" || sniffSpeedscope(head) != "" || sniffSentry(head) != "" || isOther(head) {
		return ""
	}
	return has(head, "nodes", "head", "timeDeltas", "startTime")
}

func sniffSpeedscope(head []byte) string {
	if bytes.Contains(head, []byte("speedscope.app/file-format-schema")) {
		return "it names speedscope's schema"
	}
	return ""
}

// sniffTrace knows the key of the object form, and an event.
func sniffTrace(head []byte) string {
	if why := has(head, "traceEvents"); why != "" {
		return why
	}
	trimmed := bytes.TrimLeft(head, " \t\r\n")
	if bytes.HasPrefix(trimmed, []byte("[")) && bytes.Contains(head, []byte(`"ph"`)) {
		return "it is an array of trace events"
	}
	return ""
}

func sniffSentry(head []byte) string {
	if has(head, "profiler_id", "chunk_id", "client_sdk") != "" && !bytes.Contains(head, []byte(`"nodes"`)) {
		return has(head, "profiler_id", "chunk_id", "client_sdk")
	}
	return ""
}

// sniffPprof knows the fields that a profile starts with: a sample type, which is a
// short message of two numbers.
func sniffPprof(head []byte) string {
	if len(head) > 2 && head[0] == 0x0a && head[1] < 16 && (head[2] == 0x08 || head[2] == 0x10) {
		return "it starts as profile.proto does"
	}
	return ""
}

// sniffOTLP knows the message of resource profiles, or the dictionary.
func sniffOTLP(head []byte) string {
	if len(head) > 4 && (head[0] == 0x0a && head[1] >= 2 || head[0] == 0x12) && sniffPprof(head) == "" && bytes.ContainsFunc(head, func(r rune) bool { return r < ' ' && r != '\n' && r != '\r' && r != '\t' }) {
		return "it starts as a message of OTLP profiles does"
	}
	return ""
}

// sniffFolded wants a first line that ends in a number, as far as it sees its end.
func sniffFolded(head []byte) string {
	if len(head) == sniffLength && bytes.IndexByte(head, '\n') < 0 && bytes.IndexByte(head, ';') > 0 && head[0] != '{' && head[0] != '[' && bytes.IndexByte(head, 0) < 0 {
		return "it starts with a long stack"
	}
	for line := range strings.Lines(string(head)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		i := strings.LastIndexAny(line, " \t")
		if i > 0 && line[0] != '{' && line[0] != '[' && strings.Trim(line[i+1:], "0123456789.") == "" {
			return "its first line is a stack and a number"
		}
		return ""
	}
	return ""
}
