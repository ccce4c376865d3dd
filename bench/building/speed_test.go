package building

import (
	"strings"
	"testing"
)

// Ratios are of sums over the texts that a peer could read, and no others.
func TestSpeedRatios(t *testing.T) {
	run := speedRun{
		peers: []peer{{name: peerLexer}, {name: peerTransform}, {name: "other", against: peerTransform, goal: "≥ 8×"}},
		subjects: []subject{
			{name: "a.js", size: 1e6}, {name: "b.js", size: 3e6}, {name: "b.js", size: 2e6, printed: true},
		},
		cells: map[cellKey]*speedCell{
			{0, 0}: {ns: []float64{10e6, 11e6, 30e6}}, {0, 1}: {ns: []float64{30e6, 30e6, 30e6}}, {0, 2}: {ns: []float64{20e6, 20e6, 20e6}},
			{1, 0}: {ns: []float64{20e6, 22e6, 60e6}, allocated: 5e6}, {1, 1}: {ns: []float64{40e6, 40e6, 40e6}},
			{2, 0}: {ns: []float64{220e6, 220e6, 220e6}}, {2, 1}: {failure: "cannot"},
		},
	}
	report := run.report()
	lexer, ours, other := report.Peers[0], report.Peers[1], report.Peers[2]
	if lexer.Files != 3 || lexer.Bytes != 6e6 || ours.Files != 2 || ours.Lexer.Ratio != 41.0/62 || ours.Ours.Ratio != 0 {
		t.Errorf("lexer %+v, transform %+v", lexer, ours)
	}
	if other.Files != 1 || other.Ours.Ratio != 10 || other.Ours.Rounds[0] != 11 || other.MBps < 4.54 || other.MBps > 4.55 {
		t.Errorf("other %+v", other)
	}
	if report.Files[0].Allocated[peerTransform] != 5 {
		t.Errorf("%+v", report.Files[0])
	}
	table := report.Table()
	for _, want := range []string{
		"| other | 1 | 1.0 | 4.5 | 0.050 (0.045 to 0.136) | 10.0× (3.7× to 11.0×) | ≥ 8× |",
		"other could not read b.js: cannot",
		"| b.js, printed | 2.00 |  | 100 |",
	} {
		if !strings.Contains(table, want) {
			t.Errorf("no %q in\n%s", want, table)
		}
	}
}
