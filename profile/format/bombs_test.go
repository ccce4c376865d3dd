package format

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/formattest"
	"github.com/fieldprof/fieldprof/profile/format/internal/gzipped"
	"github.com/fieldprof/fieldprof/profile/format/otlp"
)

// bomb is a small file that expands to a large profile.
type bomb struct {
	name, path string
	file       func() []byte
	fault      string // in the error; "" where it is a profile
}

// bombs are files of every format whose few bytes could become much: by
// compression, by counts, by stacks that are written once and named often, by
// numbers out of any range, by depth.
var bombs = []bomb{
	// Compression.
	{"gzipped blanks", "a.cpuprofile.gz", unzipsTo(`{"nodes":[`, " ", "]}"), "times is the limit"},
	{"gzipped nodes", "a.cpuprofile.gz", unzipsTo(`{"nodes":[{"id":1,"callFrame":{}}`, `,{"id":1,"callFrame":{}}`, "]}"), "times is the limit"},
	{"gzipped nodes of nothing", "a.cpuprofile.gz", unzipsTo(`{"nodes":[{}`, ",{}", "]}"), "callFrame"},
	{"gzipped numbers", "a.cpuprofile.gz", unzipsTo(`{"nodes":[],"samples":[1`, ",1", "]}"), "times is the limit"},
	{"gzipped lines", "a.folded.gz", unzipsTo("", "a;b 100\n", ""), "times is the limit"},
	{"gzipped empty samples", "a.pb.gz", unzipsTo("\x0a\x04\x08\x01\x10\x02", "\x12\x00", ""), "times is the limit"},
	{"gzipped empty strings", "a.pb.gz", unzipsTo("\x0a\x04\x08\x01\x10\x02", "\x32\x00", ""), "times is the limit"},
	{"gzipped resources", "a.otlp.gz", unzipsTo("", "\x0a\x02\x12\x00", ""), "times is the limit"},
	{"gzipped threads", "a.json.gz", unzipsTo(`{"meta":{"interval":1,"startTime":0,"preprocessedProfileVersion":50},"threads":[{}`, ",{}", "]}"), "times is the limit"},
	{"gzipped rows", "a.gecko.json.gz", unzipsTo(`{"meta":{"version":24,"interval":1,"startTime":0},"threads":[{"samples":{"schema":{"stack":0},"data":[[]`, ",[]", "]}}]}"), "times is the limit"},
	{"gzipped trace events", "a.trace.json.gz", unzipsTo(`{"traceEvents":[{"ph":"X"}`, ",{}", "]}"), "times is the limit"},
	{"gzipped events", "a.speedscope.json.gz", unzipsTo(`{"$schema":"https://www.speedscope.app/file-format-schema.json","profiles":[{"events":[{}`, ",{}", "]}]}"), "neither O nor C|times is the limit"},
	{"gzipped samples", "a.sentry.json.gz", unzipsTo(`{"version":"2","chunk_id":"a","profile":{"samples":[{}`, ",{}", "]}}"), "times is the limit"},
	{"gzipped stacks", "a.wicg.json.gz", unzipsTo(`{"stacks":[{}`, ",{}", "]}"), "times is the limit"},
	{"gzipped marks", "a.wicg.json.gz", unzipsTo(`{"samples":[],"stacks":[],"fieldprof":{"version":1,"marks":[{"time":1}`, ",{}", "]}}"), "times is the limit"},
	{"gzipped marks of ours", "a.cpuprofile.gz", unzipsTo(`{"nodes":[],"fieldprof":{"version":1,"marks":[{"time":1}`, ",{}", "]}}"), "times is the limit"},
	{"gzipped markers", "a.json.gz", unzipsTo(`{"meta":{"interval":1,"startTime":0,"preprocessedProfileVersion":50},"threads":[{"markers":{"name":[],"data":[{}`, ",{}", "]}}]}"), "times is the limit"},
	{"gzipped user timings", "a.trace.json.gz", unzipsTo(`{"traceEvents":[{"ph":"X"}`, `,{"cat":"blink.user_timing","name":"m","ph":"I"}`, "]}"), "times is the limit"},
	{"gzipped lists", "a.mozilla-samples.json.gz", unzipsTo(`[{"micros":1,"weight":1,"stack":[{}`, ",{}", "]}]"), "times is the limit"},
	{"gzipped graph", "a.xs.cpuprofile.gz", unzipsTo(`{"nodes":[{"id":0,"callFrame":{"functionName":"(host)"}}`, ",{}", "]}"), "times is the limit"},
	{"gzipped twice", "a.pb.gz", func() []byte { return formattest.Zipped(string(unzipsTo("", " ", "")())) }, "gzipped twice"},
	{"zlib", "a.pb", func() []byte { return deflated(64 << 20) }, "unrecognized|pprof: "},

	// Counts.
	{"ticks on many lines", "a.folded", text(strings.Repeat("a 500000000000\n", 1<<16)), "more than a profile holds"},
	{"an endless line", "a.folded", text("a 1e18\n"), "not a number of ticks"},
	{"hits", "a.cpuprofile", text(`{"nodes":[{"id":1,"callFrame":{"functionName":"f"},"hitCount":9000000000000000000}],"startTime":0,"endTime":1}`), "more than a profile holds"},
	{"ids far apart", "a.cpuprofile", text(`{"nodes":[{"id":1,"callFrame":{"functionName":"f"},"children":[9007199254740991]},{"id":9007199254740991,"callFrame":{"functionName":"g"}}],"startTime":0,"endTime":1,"samples":[1],"timeDeltas":[1]}`), ""},
	{"a cycle", "a.cpuprofile", text(`{"nodes":[{"id":1,"callFrame":{"functionName":"f"},"children":[2]},{"id":2,"callFrame":{"functionName":"g"},"children":[1]}],"startTime":0,"endTime":1}`), "cycle"},
	{"a child of two", "a.cpuprofile", text(`{"nodes":[{"id":1,"callFrame":{},"children":[3]},{"id":2,"callFrame":{},"children":[3]},{"id":3,"callFrame":{}}],"startTime":0,"endTime":1}`), "a child of"},
	{"weights", "a.speedscope.json", func() []byte { return speedscopeOf("sampled", `"samples":[[0],[0]],"weights":[2e18,1]`) }, "more than a profile holds|out of range"},
	{"times", "a.speedscope.json", func() []byte {
		return speedscopeOf("evented", `"endValue":1e300,"events":[{"type":"O","frame":0,"at":0}]`)
	}, "out of range"},
	{"timestamps", "a.sentry.json", text(`{"version":"2","chunk_id":"a","profile":{"frames":[{"function":"f"}],"stacks":[[0]],"samples":[{"stack_id":0,"timestamp":1},{"stack_id":0,"timestamp":1.000001},{"stack_id":0,"timestamp":2e9}]}}`), "more than a profile holds"},
	{"weights in milliseconds", "a.json", func() []byte { return geckoOf(2147483000, 1000) }, "than a profile holds"},
	{"deltas", "a.xs.cpuprofile", text(`{"nodes":[{"id":0,"callFrame":{"functionName":"(host)"},"children":[2]},{"id":2,"callFrame":{"functionName":"f"}}],"startTime":0,"endTime":2e15,"samples":[2,2],"timeDeltas":[0,1]}`), "more ticks"},
	{"deltas to before the start", "a.trace.json", text(`{"metadata":{"fieldprof":{"intervalNs":1}},"traceEvents":[{"name":"ProfileChunk","pid":1,"tid":1,"id":"1",` +
		`"args":{"data":{"startTime":1,"endTime":2,"cpuProfile":{"nodes":[{"id":1,"callFrame":{"functionName":"f"}}],"samples":[1,1]},"timeDeltas":[-2.3e13,2.3e13]}}}]}`), "more than a profile holds"},
	{"counts", "a.mozilla.json", text(`{"samples":1,"gcSamples":9000000000000000000,"micros":1,"children":[]}`), "gcSamples"},
	{"times of a trace", "a.wicg.json", text(`{"resources":[],"frames":[{"name":"f"}],"stacks":[{"frameId":0}],"samples":[{"timestamp":1e300,"stackId":0}]}`), "no time"},
	{"counts of samples", "a.pb", func() []byte { return pprofOf(1, 1, 4_000_000) }, ""},
	{"values", "a.pb", func() []byte { return pprofOf(1, 1, 1<<62) }, "more than a profile holds"},

	// Parts that are written once and named often.
	{"inlined functions", "a.pb", func() []byte { return pprofOf(20_000, 20_000, 1) }, "spelled out"},
	{"inlined lines", "a.otlp", func() []byte { return otlpOf(10_000, 10_000) }, "spelled out"},
	{"marks around all samples", "a.otlp", marked, ""},
	{"a stack in every thread", "a.sentry.json", func() []byte { return threadsOf(500, 20_000) }, "spelled out"},
	{"calls in a lattice", "a.xs.cpuprofile", func() []byte { return latticeOf(100, 20_000) }, ""},

	// Depth.
	{"nested brackets", "a.cpuprofile", func() []byte { return nested(`{"x":`, "[", 2<<20) }, "cpuprofile: "},
	{"nested processes", "a.json", func() []byte {
		return nested(`{"meta":{"interval":1,"startTime":0,"preprocessedProfileVersion":50},"processes":`, `[{"processes":`, 1<<20)
	}, "gecko: "},
	{"nested attributes", "a.otlp", func() []byte { return anyValues(200_000) }, "nest more than"},
	{"a deep tree", "a.mozilla.json", func() []byte { return nested(`{"samples":1,"gcSamples":0,"children":[`, `{"children":[`, 1<<17) }, "mozilla: "},
	{"a deep stack", "a.folded", text(strings.Repeat("f;", 1<<20) + "g 1\n"), ""},
	{"events that only open", "a.speedscope.json", func() []byte {
		return speedscopeOf("evented", `"endValue":9,"events":[`+strings.Repeat(`{"type":"O","frame":0,"at":0},`, 50_000)+`{"type":"O","frame":0,"at":1}]`)
	}, ""},
}

// text is a file of this text.
func text(s string) func() []byte { return func() []byte { return []byte(s) } }

// unzipsTo is a gzipped file of 20 MB, most of it one text again and again. It has several members, so that the text is
// compressed once.
func unzipsTo(before, repeated, after string) func() []byte {
	return func() []byte {
		part := strings.Repeat(repeated, 1<<16)
		return slices.Concat(formattest.Zipped(before), bytes.Repeat(formattest.Zipped(part), (20<<20)/len(part)+1), formattest.Zipped(after))
	}
}

func deflated(size int) []byte {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, _ = z.Write(make([]byte, size))
	_ = z.Close()
	return b.Bytes()
}

func speedscopeOf(kind, fields string) []byte {
	return []byte(`{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"f"}]},"profiles":[{"type":"` + kind + `","unit":"nanoseconds",` + fields + `}]}`)
}

// message is a field of a protobuf that holds another.
func message(field int, parts ...[]byte) []byte {
	body := bytes.Join(parts, nil)
	out := binary.AppendUvarint(nil, uint64(field)<<3|2)
	return append(binary.AppendUvarint(out, uint64(len(body))), body...)
}

func varint(field int, v uint64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(nil, uint64(field)<<3), v)
}

// packed is a field of numbers that are all the same.
func packed(field int, v byte, n int) []byte { return message(field, bytes.Repeat([]byte{v}, n)) }

// pprofOf is a profile.proto of one sample: its stack is one location again and
// again, in which as many functions are inlined.
func pprofOf(locations, lines int, count uint64) []byte {
	line := message(4, varint(1, 1))
	return bytes.Join([][]byte{
		message(1, varint(1, 1), varint(2, 2)), message(1, varint(1, 3), varint(2, 4)),
		message(2, packed(1, 1, locations), message(2, binary.AppendUvarint(binary.AppendUvarint(nil, count), count))),
		message(4, varint(1, 1), bytes.Repeat(line, lines)),
		message(5, varint(1, 1), varint(2, 1)),
		message(6), message(6, []byte("samples")), message(6, []byte("count")), message(6, []byte("cpu")), message(6, []byte("nanoseconds")),
		message(11, varint(1, 3), varint(2, 4)), varint(12, 1),
	}, nil)
}

// otlpOf is the same in OTLP.
func otlpOf(locations, lines int) []byte {
	sample := message(2, varint(1, 1), packed(4, 1, 1)) // stack 1, one value
	dictionary := message(2,
		message(2), message(2, bytes.Repeat(message(3, varint(1, 0)), lines)), // locations
		message(3, varint(1, 0)),                                                 // functions
		message(5), message(5, []byte("cpu")), message(5, []byte("nanoseconds")), // strings
		message(7), message(7, packed(1, 1, locations)), // stacks
	)
	return append(message(1, message(2, message(2, message(1, varint(1, 1), varint(2, 2)), sample))), dictionary...)
}

// anyValues is an attribute of a resource that holds lists in lists.
func anyValues(depth int) []byte {
	// Built from the inside, it would be copied at each level.
	size, heads := 0, make([][]byte, 0, 2*depth)
	for range depth {
		for _, field := range []int{1, 5} { // ArrayValue.values, AnyValue.array_value
			head := binary.AppendUvarint([]byte{byte(field<<3 | 2)}, uint64(size))
			size += len(head)
			heads = append(heads, head)
		}
	}
	value := make([]byte, 0, size)
	for i := len(heads) - 1; i >= 0; i-- {
		value = append(value, heads[i]...)
	}
	attribute := message(1, message(1, []byte("k")), message(2, value))
	return message(1, message(1, attribute))
}

// geckoOf is a profile of one thread whose samples last for milliseconds.
func geckoOf(ms float64, n int) []byte {
	list := func(v string) string { return strings.TrimSuffix(strings.Repeat(v+",", n), ",") }
	return []byte(`{"meta":{"interval":1,"startTime":0,"product":"x","categories":[],"preprocessedProfileVersion":50},"shared":{"stringArray":["f"]},` +
		`"threads":[{"frameTable":{"func":[0]},"funcTable":{"name":[0],"isJS":[true]},"stackTable":{"frame":[0],"prefix":[null]},` +
		`"samples":{"weightType":"tracing-ms","stack":[` + list("0") + `],"time":[` + list("1") + `],"weight":[0.000001` + strings.Repeat(","+strconv.FormatFloat(ms, 'f', -1, 64), n-1) + `]}}]}`)
}

// threadsOf is a chunk of one long stack and as many threads that are on it.
func threadsOf(threads, depth int) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"version":"2","chunk_id":"a","profile":{"frames":[{"function":"f"}],"stacks":[[0%s]],"samples":[`, strings.Repeat(",0", depth))
	for i := range threads {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"stack_id":0,"timestamp":1,"thread_id":"%d"}`, i)
	}
	b.WriteString("]}}")
	return b.Bytes()
}

// latticeOf is a graph of levels of two functions, each of which calls both of the
// next level: more stacks than there are samples.
func latticeOf(levels, samples int) []byte {
	var b bytes.Buffer
	b.WriteString(`{"nodes":[{"id":0,"callFrame":{"functionName":"(host)"},"children":[2,3]}`)
	for i := 2; i < 2*levels; i++ {
		next := i/2*2 + 2
		fmt.Fprintf(&b, `,{"id":%d,"callFrame":{"functionName":"f%d"},"children":[`, i, i)
		if next < 2*levels {
			fmt.Fprintf(&b, "%d,%d", next, next+1)
		}
		b.WriteString("]}")
	}
	last := 2*levels - 1
	fmt.Fprintf(&b, `],"startTime":0,"endTime":%d,"samples":[%d%s],"timeDeltas":[0%s]}`, samples, last, strings.Repeat(","+strconv.Itoa(last), samples-1), strings.Repeat(",1", samples-1))
	return b.Bytes()
}

// marked has samples that lie within many marks, each with a name of its own.
func marked() []byte {
	b := profile.Builder{Meta: profile.Meta{Interval: 1000}}
	f := b.Pseudo(profile.NoStack, profile.NameProgram)
	for i := range 20_000 {
		b.Sample(profile.Sample{Time: int64(i) * 1000, Stack: f, Weight: 1, Kind: profile.Program})
		b.Mark(profile.Mark{What: profile.Measure, Name: strconv.Itoa(i), Time: time.Duration(i) * 1000, Duration: time.Hour})
	}
	var out bytes.Buffer
	_ = otlp.Write(&out, b.Profile()) // to memory: it cannot fail
	return out.Bytes()
}

// nested opens brackets and closes none.
func nested(before, open string, depth int) []byte {
	return []byte(before + strings.Repeat(open, depth))
}

// Reading takes memory by what a file has, not by what it says. Bounds are of all
// that is allocated, freed or not.
func TestBombs(t *testing.T) {
	for _, b := range bombs {
		t.Run(b.name, func(t *testing.T) {
			file := b.file()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, f, err := Read(bytes.NewReader(file), b.path)
			runtime.ReadMemStats(&after)
			taken := int64(after.TotalAlloc - before.TotalAlloc)
			t.Logf("%d KB took %d MB: %s, %.200v", len(file)>>10, taken>>20, f.Name, err)
			if bound := int64(gzipped.Free)*64 + 400*int64(len(file)); taken > bound {
				t.Errorf("%d bytes took %d, more than %d", len(file), taken, bound)
			}
			switch {
			case b.fault == "" && err != nil:
				t.Errorf("refused: %.200v", err)
			case b.fault != "" && (err == nil || !anyOf(err.Error(), b.fault)):
				t.Errorf("got %.200v, want %q", err, b.fault)
			}
			var much *TooMuch
			if strings.HasPrefix(b.name, "gzipped ") && b.fault == "times is the limit" && !errors.As(err, &much) {
				t.Errorf("%.200v is not a TooMuch", err)
			}
		})
	}
}

func anyOf(text, alternatives string) bool {
	for wanted := range strings.SplitSeq(alternatives, "|") {
		if strings.Contains(text, wanted) {
			return true
		}
	}
	return false
}

// The bound is lifted on demand, and no honest file meets it.
func TestAnySize(t *testing.T) {
	file := unzipsTo(`{"nodes":[{"id":1,"callFrame":{"functionName":"f"},"hitCount":1}],`, " ", `"startTime":0,"endTime":5}`)()
	var much *TooMuch
	if _, _, err := Read(bytes.NewReader(file), "a.cpuprofile.gz"); !errors.As(err, &much) {
		t.Errorf("%v", err)
	}
	if p, _, err := (Options{AnySize: true}).Read(bytes.NewReader(file), "a.cpuprofile.gz"); err != nil || p.Len() != 1 {
		t.Errorf("%v", err)
	}
}
