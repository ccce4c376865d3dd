package recording

import (
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// A way is compared with the mean of the two clean ones of its round, and the second clean one
// with the first.
func TestStoppedRows(t *testing.T) {
	var found [ways][]spent
	for range 3 {
		for way := range found {
			found[way] = append(found[way], spent{100, 200})
		}
		found[againWay][len(found[againWay])-1] = spent{300, 200}
		found[recordingWay][len(found[recordingWay])-1] = spent{250, 300}
	}
	rows := stoppedRows("precise", &found)
	must.Equal(t, len(rows), ways-1)
	must.Equal(t, rows[0].Way, "clean again")
	must.Equal(t, rows[0].Thread.Median, 200)
	last := rows[len(rows)-1]
	must.Equal(t, last.Preset+" "+last.Way, "precise recording")
	must.Equal(t, last.Thread.Median, 25)
	must.Equal(t, last.Process.High, 50)
	must.Equal(t, rows[1].Thread.Median, -50)
}
