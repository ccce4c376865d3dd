package live

// Version is the version of the protocol, and Subprotocol its name in the handshake of a
// WebSocket. All messages are JSON objects in text frames; Type says which one.
const (
	Version     = 1
	Subprotocol = "fieldprof.live.1"
)

// The profile ids that every source has. Functions have the ids from FirstID on.
const (
	Host      = 0
	Collector = 1
	FirstID   = 2
)

// Types of message.
const (
	TypeHello   = "hello"   // source → server, first
	TypeWelcome = "welcome" // server → source, its answer
	TypeStart   = "start"   // server → source; panel → server
	TypeStop    = "stop"    // server → source; panel → server
	TypeBatch   = "batch"   // source → server; server → panel
	TypeAck     = "ack"     // server → source
	TypeRefused = "refused" // server → anyone, before it closes
	TypeWatch   = "watch"   // panel → server, first
	TypeSources = "sources" // server → panel, whenever one changes
	TypeClear   = "clear"   // panel → server: forget samples; server → panel
)

// Hello introduces a source.
type Hello struct {
	Type    string `json:"type"`
	Version int    `json:"version"`
	Token   string `json:"token"`
	// ID names the source for as long as its realm lives: a source that reconnects has
	// the ID it had. Random, at least 16 bytes in hex or base64url.
	ID string `json:"id"`
	// After is the ID of the source that this one replaces, such as the same tab's page
	// before a reload; "" for none.
	After string `json:"after,omitempty"`
	// Build names the build of the site that the realm has loaded, as the server named it to the
	// page: positions mean something in that one only. "" if there is only one.
	Build  string   `json:"build,omitempty"`
	What   string   `json:"what"`   // "page", "worker", "node" or "goja"
	Name   string   `json:"name"`   // for people: a page's title, a script's name
	URL    string   `json:"url"`    // of the page or the script
	Engine string   `json:"engine"` // as the source knows it: a user agent, "node v24.1.0", "goja"
	Clocks []string `json:"clocks"` // those available: "shared", "poll"
	Origin float64  `json:"origin"` // when times are 0, in milliseconds since 1970
	// Attributed says that functions are original ones already and that samples have
	// the owner of their time on top: the server passes them on unchanged.
	Attributed bool `json:"attributed,omitempty"`
	// Recording is the profile that goes on: a source that was disconnected has not
	// stopped, and one that begins by itself (a page that was reloaded, a program that is
	// started to be recorded) calls its first profile 1. 0 for none.
	Recording int `json:"recording,omitempty"`
	// Interval and Clock are those of Recording.
	Interval float64 `json:"interval,omitempty"`
	Clock    string  `json:"clock,omitempty"`
	// Acked is the last batch that was acknowledged to the source. A server that has
	// less has forgotten some: it goes on from here, with another profile.
	Acked int64 `json:"acked,omitempty"`
}

// Welcome is the server's answer. Acked is the last batch that it has of this source, or
// Hello.Acked if that is more.
// It acknowledges and ignores batches of a profile that it does not have.
type Welcome struct {
	Type    string `json:"type"`
	Version int    `json:"version"`
	Acked   int64  `json:"acked"`
	// Server changes when the server was started again.
	Server string `json:"server"`
	// Profile, if it is not 0, is one to start now, or to go on with if it is
	// Hello.Recording. With 0 a source that is recording stops.
	Profile  int     `json:"profile,omitempty"`
	Interval float64 `json:"interval,omitempty"`
	Clock    string  `json:"clock,omitempty"`
}

// Start begins a profile. A panel names the sources; without Sources it means all of
// them, including those that connect later. An empty list, which is not nil, names none.
type Start struct {
	Type     string   `json:"type"`
	Profile  int      `json:"profile,omitempty"` // chosen by the server
	Interval float64  `json:"interval"`          // milliseconds
	Clock    string   `json:"clock,omitempty"`   // "shared", "poll"; "" is the best one
	Sources  []string `json:"sources,omitempty"`
}

// Stop ends it. Clear has the same form: the samples so far are forgotten.
type Stop struct {
	Type    string   `json:"type"`
	Sources []string `json:"sources,omitempty"`
}

// Batch is what was sampled since the previous batch, with the records and stacks
// that are new. Batches of a source are numbered from 1, on through all its profiles.
// Records and stacks begin again with each profile; within one they are never sent
// twice and never change.
//
// A batch that cannot be kept until it is sent loses its samples and marks, which
// Dropped counts, and keeps everything else: so there are no gaps in the numbers, the
// records or the stacks, whether or not the other side had it already.
type Batch struct {
	Type    string `json:"type"`
	Source  string `json:"source,omitempty"` // to a panel: whose it is
	Profile int    `json:"profile"`
	Seq     int64  `json:"seq"`
	// Began is in the first batch of a profile.
	Began *Began `json:"began,omitempty"`
	// Ended: the profile has ended with this batch.
	Ended   bool     `json:"ended,omitempty"`
	Records []Record `json:"records,omitempty"`
	// Stacks continue the trie of the source: a parent (the index of an earlier stack, −1
	// for none), the profile id of a record, and the line and column at which execution
	// is in it (1-based, 0 if unknown), flat. The first stack of a profile has the index 0.
	Stacks  []int32 `json:"stacks,omitempty"`
	Samples Samples `json:"samples,omitzero"`
	Marks   []Mark  `json:"marks,omitempty"`
	// Account is the sum since the profile began.
	Account Account  `json:"account,omitzero"`
	Notes   []string `json:"notes,omitempty"` // new ones: what was lost and why
	// Dropped is what was left out of this batch, because it could not be sent in time.
	Dropped Dropped `json:"dropped,omitzero"`
}

// Began says when a profile began, in milliseconds since 1970, and how it is sampled: a
// source may begin on its own, and chooses the clock if it was not told one.
type Began struct {
	Time     float64 `json:"time"`
	Interval float64 `json:"interval"` // milliseconds
	Clock    string  `json:"clock,omitempty"`
}

// Record is a function. A source that is not Attributed gives the name and the file
// that the engine gives, and no definition.
type Record struct {
	ID     int32  `json:"id"`
	Name   string `json:"name"`
	File   string `json:"file"`
	Line   int32  `json:"line,omitempty"` // where it is defined, 1-based
	Column int32  `json:"column,omitempty"`
	// Kind, to panels: "" is a function of a script; "native", "idle", "collector",
	// "program", "lost" are the others.
	Kind string `json:"kind,omitempty"`
}

// Samples are columns of the same length.
type Samples struct {
	// Delta is the time since the sample before, in microseconds; of the first sample of a
	// batch, since the profile began.
	Delta []int64 `json:"delta"`
	// Stack is an index; −1 is none, and the kind says why.
	Stack  []int32 `json:"stack"`
	Weight []int32 `json:"weight"` // ticks
	// Kind is numbered as in runtime/src/core/kinds.ts: 0 entry, 1 loop, 2 exit, 3 idle,
	// 4 program, 5 collector. To panels: 0.
	Kind []int8  `json:"kind,omitempty"` // not uint8, which encoding/json writes as base64
	Skid []int64 `json:"skid,omitempty"` // microseconds
}

// Mark is something that happened: a slow interaction, a long task, a call of
// performance.mark or measure, the data of a frame.
type Mark struct {
	Time     int64  `json:"time"`               // microseconds since the profile began
	Duration int64  `json:"duration,omitempty"` // microseconds
	What     string `json:"what"`               // "interaction", "long-task", "mark", "measure", "frame", "note"
	Name     string `json:"name"`
	Detail   string `json:"detail,omitempty"`
}

// Account says what became of the ticks: Raised = Taken + Idle + Program + GC + Lost.
type Account struct {
	Raised  int64 `json:"raised"`
	Missed  int64 `json:"missed"`
	Taken   int64 `json:"taken"`
	Idle    int64 `json:"idle"`
	Program int64 `json:"program"`
	GC      int64 `json:"gc,omitempty"`
	Lost    int64 `json:"lost"`
}

// Dropped counts whole batches, and the ticks in them.
type Dropped struct {
	Batches int64 `json:"batches,omitempty"`
	Ticks   int64 `json:"ticks,omitempty"`
}

// Ack says that everything up to a batch is kept: a source may forget it.
type Ack struct {
	Type string `json:"type"`
	Seq  int64  `json:"seq"`
}

// Refused says in one sentence what is wrong and what to do.
type Refused struct {
	Type string `json:"type"`
	Why  string `json:"why"`
}

// Watch introduces a panel.
type Watch struct {
	Type    string `json:"type"`
	Version int    `json:"version"`
	Token   string `json:"token"`
}

// Sources are all sources that the server knows. Server is as in Welcome.
type Sources struct {
	Type   string   `json:"type"`
	Server string   `json:"server,omitempty"`
	List   []Source `json:"list"`
}

// Source is one of them, as panels see it.
type Source struct {
	ID     string   `json:"id"`
	After  string   `json:"after,omitempty"`
	What   string   `json:"what"`
	Name   string   `json:"name"`
	URL    string   `json:"url"`
	Engine string   `json:"engine"`
	Clocks []string `json:"clocks"`
	// State is "connected", "recording", "lost" (no connection, it may come back) or
	// "gone" (its page was left or its process has ended). Why says it for people.
	State string `json:"state"`
	Why   string `json:"why,omitempty"`
	// Profile is the running or the last one; Began is its start in milliseconds since 1970.
	Profile  int      `json:"profile,omitempty"`
	Began    float64  `json:"began,omitempty"`
	Interval float64  `json:"interval,omitempty"`
	Clock    string   `json:"clock,omitempty"`
	Samples  int64    `json:"samples,omitempty"`
	Account  Account  `json:"account,omitzero"`
	Dropped  Dropped  `json:"dropped,omitzero"`
	Notes    []string `json:"notes,omitempty"`
}
