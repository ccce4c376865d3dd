package view

import (
	"io"

	"github.com/fieldprof/fieldprof/profile"
)

// TreeList is a call tree as a list, which is what WriteTreeJSON writes: a
// nested one could be deeper than readers of JSON can follow.
type TreeList struct {
	Program    string         `json:"program,omitempty"`
	Engine     string         `json:"engine,omitempty"`
	Direction  string         `json:"direction"` // top-down or bottom-up
	IntervalMs float64        `json:"intervalMs"`
	Ticks      int64          `json:"ticks"` // what percentages are of
	Health     profile.Health `json:"health"`
	Cut        bool           `json:"cut,omitempty"` // the tree would go on
	Hidden     *HiddenRow     `json:"hidden,omitempty"`
	Nodes      []TreeRow      `json:"nodes"` // each before its children
}

// TreeRow is a Node in JSON: times in milliseconds, percentages of all ticks.
type TreeRow struct {
	Parent       int        `json:"parent"` // index in nodes; -1: none
	Depth        int        `json:"depth"`
	Name         string     `json:"name"` // as displayed
	File         string     `json:"file"`
	Line         int32      `json:"line,omitempty"`
	HoldsOthers  bool       `json:"holdsOthers,omitempty"` // time of functions without checks is in its own
	SelfTicks    int64      `json:"selfTicks"`
	SelfMs       float64    `json:"selfMs"`
	SelfPercent  float64    `json:"selfPercent"`
	TotalTicks   int64      `json:"totalTicks"`
	TotalMs      float64    `json:"totalMs"`
	TotalPercent float64    `json:"totalPercent"`
	Hidden       *HiddenRow `json:"hidden,omitempty"`
}

// HiddenRow is a Hidden in JSON.
type HiddenRow struct {
	Nodes      int   `json:"nodes"`
	SelfTicks  int64 `json:"selfTicks"`
	TotalTicks int64 `json:"totalTicks"`
}

// NewTreeList makes a list of a tree of the profile.
func NewTreeList(p *profile.Profile, t *Tree) TreeList {
	list := TreeList{Program: p.Meta.Program, Engine: p.Meta.Engine, Direction: t.Direction.String(),
		IntervalMs: inMillis(p.Meta.Interval), Ticks: t.Ticks, Health: p.Health(), Cut: t.Cut,
		Hidden: t.Hidden.row(), Nodes: []TreeRow{}}
	var path []int // the nodes from the root to here, by index
	t.Walk(func(n *Node, depth int) {
		parent := -1
		if path = path[:depth]; depth > 0 {
			parent = path[depth-1]
		}
		path = append(path, len(list.Nodes))
		list.Nodes = append(list.Nodes, TreeRow{Parent: parent, Depth: depth, Name: n.Name, File: n.File, Line: n.Line, HoldsOthers: n.HoldsOthers,
			SelfTicks: n.Self, SelfMs: inMillis(t.tick.Of(n.Self)), SelfPercent: percent(n.Self, t.Ticks),
			TotalTicks: n.Total, TotalMs: inMillis(t.tick.Of(n.Total)), TotalPercent: percent(n.Total, t.Ticks),
			Hidden: n.Hidden.row()})
	})
	return list
}

func (h *Hidden) row() *HiddenRow {
	if h.Nodes == 0 {
		return nil
	}
	return &HiddenRow{h.Nodes, h.Self, h.Total}
}

// WriteTreeJSON writes a tree as indented JSON, in which a terminal finds nothing
// to obey.
func WriteTreeJSON(w io.Writer, p *profile.Profile, t *Tree) error {
	return EncodeJSON(w, NewTreeList(p, t))
}
