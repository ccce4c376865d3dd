package gecko

import (
	"encoding/json"

	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
)

// file is a profile of either form, as far as it is read. Tables are in each
// thread (raw, and processed before version 56) or under shared.
type file struct {
	Meta      fileMeta     `json:"meta"`
	Shared    tables       `json:"shared"`
	Threads   []fileThread `json:"threads"`
	Processes []file       `json:"processes"` // raw only: of the same browser
	Fieldprof *extension   `json:"fieldprof"`
}

type fileMeta struct {
	Version      *float64     `json:"version"`
	Processed    *float64     `json:"preprocessedProfileVersion"`
	Interval     *float64     `json:"interval"`           // milliseconds
	StartTime    float64      `json:"startTime"`          // milliseconds since 1970
	Began        *float64     `json:"profilingStartTime"` // milliseconds since then
	Product      string       `json:"product"`
	ImportedFrom string       `json:"importedFrom"`
	Misc         string       `json:"misc"` // "rv:153.0"
	Categories   []categories `json:"categories"`
}

type categories struct {
	Name          string   `json:"name"`
	Color         string   `json:"color"`
	Subcategories []string `json:"subcategories"`
}

type fileThread struct {
	tables
	Name        string          `json:"name"`
	ProcessName string          `json:"processName"`
	Samples     json.RawMessage `json:"samples"`
	Markers     json.RawMessage `json:"markers"`
}

// tables are the tables of one thread, or shared by all.
type tables struct {
	StringArray []string        `json:"stringArray"`
	StringTable json.RawMessage `json:"stringTable"` // raw: an array
	FuncTable   funcTable       `json:"funcTable"`
	FrameTable  json.RawMessage `json:"frameTable"` // raw: rows
	StackTable  json.RawMessage `json:"stackTable"` // raw: rows
	Sources     sourceTable     `json:"sources"`
}

type funcTable struct {
	Flags        column `json:"flags"` // from version 75: what is there
	Name         column `json:"name"`
	IsJS         column `json:"isJS"` // before
	Source       column `json:"source"`
	FileName     column `json:"fileName"` // before there were sources
	LineNumber   column `json:"lineNumber"`
	ColumnNumber column `json:"columnNumber"`
}

type sourceTable struct {
	Filename column `json:"filename"`
}

type frameTable struct {
	Flags    column `json:"flags"` // from version 71: what is there
	Func     column `json:"func"`
	Category column `json:"category"`
	Line     column `json:"line"`
	Column   column `json:"column"`
}

type stackTable struct {
	Frame        column `json:"frame"`
	Prefix       column `json:"prefix"` // before version 66
	PrefixOffset column `json:"prefixOffset"`
}

type sampleTable struct {
	Stack      column `json:"stack"`
	Time       column `json:"time"`
	TimeDeltas column `json:"timeDeltas"`
	Weight     column `json:"weight"`
	WeightType string `json:"weightType"`
}

// Flags of functions and frames: which columns hold something.
const (
	funcIsJS = 1 << iota
	funcRelevantForJS
	funcHasResource
	funcHasSource
	funcHasLine
	funcHasColumn
)

const (
	frameIsInlined = 1 << iota
	frameHasAddress
	frameHasCategory
	frameHasNativeSymbol
	frameHasLine
	frameHasColumn
)

// Versions that are written, and the newest that are read.
const (
	versionRaw       = 36
	versionProcessed = 75
	versionFirst     = 5 // of the reference document
)

// extension is the value of the key "fieldprof".
type extension struct {
	Version int          `json:"version"`
	Meta    profile.Meta `json:"meta"`
	// Functions are the functions of the file's frames: name and file (strings of
	// the table), line, column, flags. In the processed form they are the
	// rows of the funcTable, and in the raw form Frames says which is whose.
	Functions [][5]int32 `json:"functions"`
	Frames    []int32    `json:"frames,omitempty"`
	Kinds     []string   `json:"kinds"` // what the numbers of Kind mean
	// Samples have as many rows of the file as ticks (raw), or one.
	Samples codec.Columns `json:"samples"`
	Marks   []codec.Mark  `json:"marks,omitempty"`
}

const extensionVersion = 1
