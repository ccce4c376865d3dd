package service

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/fieldprof/fieldprof/internal/must"
)

func TestFrames(t *testing.T) {
	var stream bytes.Buffer
	big := bytes.Repeat([]byte("0123456789"), 1<<19) // grows a few times on its way in
	for _, body := range [][][]byte{nil, {{}}, {[]byte("a"), []byte("bc")}, {big}} {
		must.Do(t, writeFrame(&stream, map[string]string{"text": "<ä>"}, body))
	}
	in := iotest.HalfReader(&stream)
	for _, want := range []string{"", "", "abc", string(big)} {
		head, body, err := readFrame(in, 100, len(big))
		if err != nil || string(body) != want || string(head) != "{\"text\":\"<ä>\"}\n" {
			t.Fatalf("%q, %d bytes, %v", head, len(body), err)
		}
	}
	if _, _, err := readFrame(in, 100, 100); !errors.Is(err, io.EOF) {
		t.Errorf("at the end: %v", err)
	}
	if err := writeFrame(io.Discard, nil, [][]byte{make([]byte, MaxBody), {0}}); !errors.Is(err, errTooLarge) {
		t.Errorf("a body that is too large: %v", err)
	}
}

// Announced data costs nothing until it arrives.
func TestLengthsAreNotBelieved(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	lie := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, 2), MaxBody)
	_, _, err := readFrame(strings.NewReader(string(lie)+"{}and no more"), MaxHead, MaxBody)
	runtime.ReadMemStats(&after)
	must.Fail(t, err, "ends inside a frame")
	if spent := after.TotalAlloc - before.TotalAlloc; spent > 4*firstRead {
		t.Errorf("it took %d bytes for %d", spent, len(lie)+13)
	}
}

// Whatever comes in, the service ends and says why; frames that can be read are those
// that were written.
func FuzzFrames(f *testing.F) {
	var stream bytes.Buffer
	_ = writeFrame(&stream, hello{kindHello, Protocol, "0.1.0"}, nil)
	greeting := stream.Len()
	one := 1
	_ = writeFrame(&stream, request{Kind: kindInstrument, ID: 1, Files: []namedFile{{"a.js", 1, &one, nil}}, Options: json.RawMessage(`{}`)}, [][]byte{{'x'}})
	_ = writeFrame(&stream, request{Kind: kindCancel, ID: 1}, nil)
	f.Add(stream.Bytes())
	f.Add(stream.Bytes()[greeting:])
	f.Add(bytes.Repeat([]byte{255}, 2*prefix))
	f.Fuzz(func(t *testing.T, data []byte) {
		in := bytes.NewReader(data)
		for {
			head, body, err := readFrame(in, 1<<16, 1<<16)
			if err != nil {
				break
			}
			var again bytes.Buffer
			if json.Valid(head) {
				must.Do(t, writeFrame(&again, json.RawMessage(head), [][]byte{body}))
				if _, b, err := readFrame(&again, MaxHead, MaxBody); err != nil || !bytes.Equal(b, body) {
					t.Fatalf("a frame does not come back: %v", err)
				}
			}
		}
		if err := Serve(t.Context(), bytes.NewReader(data), io.Discard); err == nil && len(data) > 0 && len(data) < prefix {
			t.Error("half a frame is no error")
		}
	})
}
