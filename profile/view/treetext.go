package view

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
)

const (
	// tableWidth is how wide a table may be by default.
	tableWidth = 160
	// leastText is the room for names and places on the narrowest terminal, leastName
	// that for a name after many branches.
	leastText = 30
	leastName = 8
)

// WriteTree writes a tree for a terminal of so many columns; 0 is for a file. A
// line begins with the numbers, so that they are aligned, and ends with the
// function, indented. Levels too deep to be indented show their depth instead.
func WriteTree(w io.Writer, t *Tree, columns int) error {
	if columns <= 0 {
		columns = tableWidth
	}
	table := &treeTable{tree: t}
	table.header()
	table.rows()
	table.fit(max(leastText, columns-table.numbers()))
	out := bufio.NewWriter(w) // whose Flush says if anything failed
	_ = WriteTable(out, table.lines, 4)
	if t.Cut {
		fmt.Fprintln(out, "… the tree goes on: choose --depth, --min or --focus")
	}
	writeLegend(out, slices.Contains(table.holds, true))
	return out.Flush()
}

// treeTable collects the lines of a tree: four numbers, the function after its
// branches, its place.
type treeTable struct {
	tree     *Tree
	lines    [][]string
	branches []string // of each line
	holds    []bool   // of each line: its function holds others' time
}

func (t *treeTable) header() {
	unit := "ms"
	if t.tree.Interval == 0 { // no clock: ticks are all we have
		unit = "ticks"
	}
	header := []string{"total " + unit, "total", "self " + unit, "self"}
	if t.tree.Direction == BottomUp {
		header = []string{"self " + unit, "self", "total " + unit, "total"}
	}
	t.lines = append(t.lines, append(header, "function", "where"))
	t.branches, t.holds = append(t.branches, ""), append(t.holds, false)
}

// row adds a line; the number that the tree is sorted by comes first.
func (t *treeTable) row(self, total int64, branches, name, place string) {
	text := func(ticks int64) (string, string) {
		share := percentText(percent(ticks, t.tree.Ticks))
		if t.tree.Interval == 0 {
			return strconv.FormatInt(ticks, 10), share
		}
		return millis(t.tree.tick.Of(ticks)), share
	}
	first, firstShare := text(total)
	second, secondShare := text(self)
	if t.tree.Direction == BottomUp {
		first, firstShare, second, secondShare = second, secondShare, first, firstShare
	}
	t.lines = append(t.lines, []string{first, firstShare, second, secondShare, name, place})
	t.branches, t.holds = append(t.branches, branches), append(t.holds, false)
}

// rows adds a line for each node, and one for what is hidden below each.
func (t *treeTable) rows() {
	type step struct {
		node     *Node
		hidden   *Hidden // instead of a node
		branches string  // in front of the node's children
		depth    int
		last     bool
	}
	var open []step
	push := func(nodes []*Node, hidden *Hidden, branches string, depth int) {
		if hidden.Nodes > 0 {
			open = append(open, step{hidden: hidden, branches: branches, depth: depth, last: true})
		}
		for i := len(nodes) - 1; i >= 0; i-- {
			open = append(open, step{node: nodes[i], branches: branches, depth: depth, last: i == len(nodes)-1 && hidden.Nodes == 0})
		}
	}
	push(t.tree.Roots, &t.tree.Hidden, "", 0)
	for len(open) > 0 {
		s := open[len(open)-1]
		open = open[:len(open)-1]
		own, below := branch(s.branches, s.depth, s.last)
		if s.hidden != nil {
			t.row(s.hidden.Self, s.hidden.Total, own, t.hiddenText(s.hidden, s.depth), "")
			continue
		}
		n := s.node
		t.row(n.Self, n.Total, own, Printable(n.Name), place(n.File, n.Line))
		t.holds[len(t.lines)-1] = n.HoldsOthers
		push(n.Children, &n.Hidden, below, s.depth+1)
	}
}

// maxIndent is the depth from which on lines are no longer indented.
const maxIndent = 24

// branch returns what comes in front of a line, and what its children's lines
// begin with.
func branch(above string, depth int, last bool) (own, below string) {
	switch {
	case depth == 0:
		return "", ""
	case depth > maxIndent:
		return fmt.Sprintf("… %d: ", depth), ""
	case last:
		return above + "└ ", above + "  "
	}
	return above + "├ ", above + "│ "
}

func (t *treeTable) hiddenText(h *Hidden, depth int) string {
	what := "call"
	switch {
	case depth == 0:
		what = "function"
	case t.tree.Direction == BottomUp:
		what = "caller"
	}
	if h.Nodes > 1 {
		what += "s"
	}
	return fmt.Sprintf("(%d more %s)", h.Nodes, what)
}

// numbers is how wide the columns of numbers are, with the gaps after them.
func (t *treeTable) numbers() int {
	all := 0
	for i := range 4 {
		widest := 0
		for _, line := range t.lines {
			widest = max(widest, width(line[i]))
		}
		all += widest + 2
	}
	return all
}

// fit makes functions and places no wider than there is room, and puts the
// branches in front of the functions. A name keeps its beginning, a place its end.
func (t *treeTable) fit(room int) {
	names, places := 0, 0
	for i, line := range t.lines {
		line[4] = marked(line[4], t.holds[i], nameWidth)
		line[5] = fit(line[5], placeWidth, true)
		names = max(names, width(t.branches[i])+width(line[4]))
		places = max(places, width(line[5]))
	}
	if names+2+places > room { // the wider one gives first, down to its half
		half := (room - 2) / 2
		if names > half {
			names = max(half, room-2-places)
		}
		places = max(room-2-names, 8)
	}
	for i, line := range t.lines {
		branches := t.branches[i]
		if width(branches) > names-leastName && width(branches)+width(line[4]) > names {
			branches = fit(branches, max(names-leastName, 1), true) // the nearest ones
		}
		name := fit(line[4], max(names-width(branches), 1), false)
		if t.holds[i] && name != line[4] { // the mark is what counts
			name = marked(line[4], true, max(names-width(branches), 1+len(mark)))
		}
		line[4] = branches + name
		line[5] = fit(line[5], places, true)
	}
}
