package gecko

import (
	"bytes"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/formattest"
)

// Small files without faults, in both forms.
const (
	soundRaw = `{"meta":{"version":36,"interval":1,"startTime":0,"categories":[]},"threads":[{"samples":{"schema":{"stack":0,"time":1},"data":[[1,5],[0,6]]},` +
		`"frameTable":{"schema":{"location":0,"category":1},"data":[[0],[1,0]]},"stackTable":{"schema":{"prefix":0,"frame":1},"data":[[null,0],[0,1]]},"stringTable":["a","b (c.js:1)"]}]}`
	soundProcessed = `{"meta":{"version":36,"preprocessedProfileVersion":75,"interval":1,"startTime":0,"categories":[]},` +
		`"shared":{"stringArray":["a","c.js"],"sources":{"filename":[1]},"funcTable":{"flags":[25],"name":[0],"source":[0],"lineNumber":[3],"columnNumber":[0]},` +
		`"frameTable":{"flags":[16],"func":[0],"category":[0],"line":[4],"column":[0]},"stackTable":{"frame":[0,0],"prefixOffset":[0,1]}},` +
		`"threads":[{"samples":{"stack":[1,0],"time":[5,6],"weight":[2,1.5],"weightType":"tracing-ms"}}]}`
)

func TestFaults(t *testing.T) {
	for _, sound := range []string{soundRaw, soundProcessed} {
		must.Equal(t, must.Get(Read(strings.NewReader(sound)))(t).Len(), 2, sound)
	}
	for _, c := range []struct{ in, old, new, fault string }{
		{soundRaw, soundRaw, "", "byte 0: the file is empty"},
		{soundRaw, soundRaw, "[]", "cannot unmarshal array"},
		{soundRaw, soundRaw[20:], "", "unexpected EOF"},
		{soundRaw, soundRaw, "\x1f\x8b\x08nonsense", "unexpected EOF"},
		{soundRaw, `"version":36,`, ``, "meta.version is missing"},
		{soundRaw, `"version":36`, `"version":37`, "meta.version: 37 is newer than 36"},
		{soundRaw, `"version":36`, `"version":3`, "meta.version: 3 is older than 5"},
		{soundRaw, `"interval":1`, `"interval":-1`, "meta.interval: -1 is not a duration"},
		{soundRaw, `"interval":1`, `"interval":1e400`, "cannot unmarshal number 1e400"},
		{soundRaw, `"startTime":0`, `"startTime":1e300`, "meta.startTime: 1e+300 is not a time"},
		{soundRaw, `"startTime":0`, `"startTime":253402300800000`, "meta.startTime: 2.534023008e+14 is not a time"},
		{soundRaw, `"threads":[`, `"threads":[],"x":[`, "threads: none"},
		{soundRaw, `[[1,5],[0,6]]`, `[[2,5],[0,6]]`, "threads[0].samples.stack[0]: 2 is not one of 2 stacks"},
		{soundRaw, `[[1,5],[0,6]]`, `[[0.5,5]]`, "threads[0].samples.stack[0]: 0.5 is not one of 2 stacks"},
		{soundRaw, `[[1,5],[0,6]]`, `[[-1,5]]`, "threads[0].samples.stack[0]: -1 is not one of 2 stacks"},
		{soundRaw, `[[1,5],[0,6]]`, `[[1]]`, "threads[0].samples.time[0]: NaN is not a time"},
		{soundRaw, `[[1,5],[0,6]]`, `[[1,1e999]]`, "threads[0].samples.data[0]: 1e999 is not a number within range"},
		{soundRaw, `[[1,5],[0,6]]`, `[[1,1e15]]`, "threads[0].samples.time[0]: 1e+15 is not a time"},
		{soundRaw, `[[1,5],[0,6]]`, `[7]`, "threads[0].samples.data[0]: 7 is not a row"},
		{soundRaw, `[[1,5],[0,6]]`, `{}`, "threads[0].samples.data: {} is not an array of rows"},
		{soundRaw, `[[0],[1,0]]`, `[[0],[7,0]]`, "threads[0].frameTable.data[1]: location 7 is not one of 2 strings"},
		{soundRaw, `[[0],[1,0]]`, `[[0],["x"]]`, "threads[0].frameTable.data[1]: location NaN"},
		{soundRaw, `[[null,0],[0,1]]`, `[[null,0],[0,9]]`, "threads[0].stackTable.data[1]: 9 is not one of 2 frames"},
		{soundRaw, `[[null,0],[0,1]]`, `[[1,0],[0,1]]`, "threads[0].stackTable.data[0]: is its own caller"},
		{soundRaw, `[[null,0],[0,1]]`, `[[null,0],[2,1]]`, "threads[0].stackTable.data[1]: the caller's stack: 2 is not one of 2"},
		{soundRaw, `["a","b (c.js:1)"]`, `{"a":1}`, "threads[0].stringTable: json: cannot unmarshal object"},
		{soundProcessed, `"preprocessedProfileVersion":75`, `"preprocessedProfileVersion":76`, "meta.preprocessedProfileVersion: 76 is newer than 75"},
		{soundProcessed, `"name":[0]`, `"name":[5]`, "shared.funcTable.name[0]: 5 is out of range"},
		{soundProcessed, `"source":[0]`, `"source":[1]`, "shared.funcTable.source[0]: 1 is out of range"},
		{soundProcessed, `"filename":[1]`, `"filename":[2]`, "shared.funcTable.source[0]: 0 is out of range"},
		{soundProcessed, `"func":[0]`, `"func":[1]`, "shared.frameTable.func[0]: 1 is not one of 1 functions"},
		{soundProcessed, `"func":[0]`, `"func":["0"]`, `shared.frameTable.func: entry 0: "0" is not a number`},
		{soundProcessed, `"frame":[0,0]`, `"frame":[0,null]`, "shared.stackTable[1]: NaN is not one of 1 frames"},
		{soundProcessed, `"prefixOffset":[0,1]`, `"prefixOffset":[0,2]`, "shared.stackTable[1]: the caller's stack: 2 stacks before there is none"},
		{soundProcessed, `"prefixOffset":[0,1]`, `"prefixOffset":[0,-1]`, "shared.stackTable[1]: the caller's stack: -1 stacks before there is none"},
		{soundProcessed, `"time":[5,6]`, `"time":[5]`, "threads[0].samples.time: 1 entries for 2 stacks"},
		{soundProcessed, `"time":[5,6]`, `"timeDeltas":[5,null]`, "threads[0].samples.time[1]: NaN is not a time"},
		{soundProcessed, `[2,1.5]`, `[2,-1]`, "threads[0].samples.weight[1]: -1: a profile of time"},
		{soundProcessed, `[2,1.5]`, `[2,1e300]`, "threads[0].samples.weight[1]: 1e+300: a profile of time"},
		{soundProcessed, `tracing-ms`, `bytes`, `threads[0].samples.weightType: "bytes"`},
		{soundRaw, `"threads":[{`, `"threads":[{"markers":7,`, "threads[0].markers: json: cannot unmarshal number"},
		{soundRaw, `"threads":[{`, `"threads":[{"markers":{"schema":{"name":0},"data":[[2]]},`, "threads[0].markers.name[0]: 2 is not one of 2 strings"},
		{soundProcessed, `"threads":[{`, `"threads":[{"markers":{"name":["a"]},`, "threads[0].markers.name: entry 0"},
		{soundProcessed, `"threads":[{`, `"threads":[{"markers":{"name":[null]},`, "threads[0].markers.name[0]: NaN is not one of 2 strings"},
		{soundProcessed, `"threads"`, `"fieldprof":{"version":2},"threads"`, "fieldprof: version 2 is not supported"},
		{soundProcessed, `"threads"`, `"fieldprof":{"version":1},"threads"`, "fieldprof: frame 0 is of function 0 of 0"},
		{soundProcessed, `"threads"`, `"fieldprof":{"version":1,"functions":[[0,9,0,0,0]]},"threads"`, "fieldprof.functions[0]: 9 is not one of 2 strings"},
		{soundProcessed, `"threads"`, `"fieldprof":{"version":1,"functions":[[0,0,0,0,0]],"kinds":["own"],"samples":{"weight":[1]}},"threads"`, "fieldprof.samples.weight: 1 of 2 samples are not accounted for"},
		{soundProcessed, `"threads"`, `"fieldprof":{"version":1,"functions":[[0,0,0,0,0]],"kinds":["own"],"samples":{"weight":[1,1,1]}},"threads"`, "fieldprof.samples.weight[2]: 1, with 0 of 2 samples left"},
		{soundProcessed, `"threads"`, `"fieldprof":{"version":1,"functions":[[0,0,0,0,0]],"kinds":["odd"],"samples":{"weight":[1,1]}},"threads"`, `fieldprof.kinds[0]: unknown kind "odd"`},
		{soundProcessed, `"threads"`, `"fieldprof":{"version":1,"functions":[[0,0,0,0,0]],"kinds":["own"],"samples":{"weight":[1,1],"timeDeltasNs":[0,-1]}},"threads"`, "fieldprof.samples.timeDeltasNs[1]: -1"},
		{soundProcessed, `"threads"`, `"fieldprof":{"version":1,"functions":[[0,0,-1,0,0]],"kinds":["own"],"samples":{"weight":[1,1]}},"threads"`, "function 0: defined at -1:0"},
	} {
		formattest.RejectsChanged(t, Read, c.in, []formattest.Change{{c.old, c.new, c.fault}})
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(soundRaw))
	f.Add([]byte(soundProcessed))
	f.Add([]byte(strings.Replace(soundRaw, `"threads":[{`, `"threads":[{"markers":{"schema":{"name":0,"startTime":1,"endTime":2,"phase":3,"data":4},"data":[[0,5,0,2,{"type":"UserTiming","name":1}],[0,0,8,3]]},`, 1)))
	for name, write := range writers {
		var out bytes.Buffer
		must.Do(f, write(&out, example()), name)
		f.Add(out.Bytes())
	}
	format := formattest.Format{Read: Read, Write: Write, NoRoom: []string{"time"}}
	format.Fuzz(f, func(p *profile.Profile) string { return strings.Join(formattest.Spell(p), "\n") })
}
