package format

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/fieldprof/fieldprof/profile"
)

// MaxUnzipped bounds what is read of a gzipped text: a small file can hold
// anything.
const MaxUnzipped = 4 << 30

const sniffLength = 4096

// Found says which format a file is in, and why it is taken for it.
type Found struct {
	Format
	Why string // "it has the key \"timeDeltas\""
}

// Read reads a profile whose first bytes say which format it is in, and returns
// the format with it. Where they could be of several, or of none, the extension
// of path (which may be "") decides. Formats of text may be gzipped.
func Read(r io.Reader, path string) (*profile.Profile, Format, error) {
	in := bufio.NewReaderSize(r, sniffLength)
	text, err := unzip(in)
	if err != nil {
		return nil, Format{}, err
	}
	found, err := Sniff(text, path)
	if err != nil {
		return nil, Format{}, err
	}
	p, err := found.Read(text)
	return p, found.Format, err
}

// Open prepares a file that may be gzipped for reading, and says which format it
// is in.
func Open(r io.Reader, path string) (*bufio.Reader, Found, error) {
	text, err := unzip(bufio.NewReaderSize(r, sniffLength))
	if err != nil {
		return nil, Found{}, err
	}
	found, err := Sniff(text, path)
	return text, found, err
}

// unzip unzips what is gzipped, but for pprof's files, which are so by
// themselves.
func unzip(in *bufio.Reader) (*bufio.Reader, error) {
	head, err := peek(in)
	if err != nil || !bytes.HasPrefix(head, []byte("\x1f\x8b")) {
		return in, err
	}
	z, err := gzip.NewReader(bytes.NewReader(head))
	if err != nil {
		return in, nil // its reader says what is wrong
	}
	start := make([]byte, 256)
	n, _ := io.ReadFull(z, start)
	if start = bytes.TrimLeft(start[:n], " \t\r\n"); len(start) == 0 || start[0] != '{' && start[0] != '[' {
		return in, nil
	}
	if z, err = gzip.NewReader(in); err != nil {
		return nil, err
	}
	return bufio.NewReaderSize(&limited{z, MaxUnzipped}, sniffLength), nil
}

// limited fails where there is more than it may give.
type limited struct {
	in   io.Reader
	left int64
}

func (l *limited) Read(p []byte) (int, error) {
	n, err := l.in.Read(p[:min(int64(len(p)), l.left+1)])
	if l.left -= int64(n); l.left < 0 {
		return 0, fmt.Errorf("more than %d bytes unzipped", int64(MaxUnzipped))
	}
	return n, err
}

func peek(in *bufio.Reader) ([]byte, error) {
	head, err := in.Peek(sniffLength)
	if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
		return nil, err
	}
	return head, nil
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

// sniffPprof knows gzip, and the fields that a profile starts with: a sample type,
// which is a short message of two numbers.
func sniffPprof(head []byte) string {
	if bytes.HasPrefix(head, []byte("\x1f\x8b")) {
		return "it is gzipped"
	}
	if len(head) > 2 && head[0] == 0x0a && head[1] < 16 && (head[2] == 0x08 || head[2] == 0x10) && bytes.IndexByte(head, 0) >= 0 {
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
