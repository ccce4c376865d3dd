package figures

import (
	"testing"
	"testing/fstest"
	"time"
)

// Of ten seconds, tasks waited in four.
func TestLoad(t *testing.T) {
	files, now := fstest.MapFS{
		"proc/loadavg":      {Data: []byte("1.25 0.80 0.52 2/345 6789\n")},
		"proc/pressure/cpu": {Data: []byte("some avg10=1.00 avg60=1.00 avg300=1.00 total=2000000\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=9\n")},
	}, time.Unix(0, 0)
	end := observe(files, func() time.Time { return now })
	now = now.Add(10 * time.Second)
	files["proc/pressure/cpu"] = &fstest.MapFile{Data: []byte("some avg10=1.00 avg60=1.00 avg300=1.00 total=6000000\n")}
	if l := end(); l == nil || l.Average != 1.25 || l.Waited == nil || *l.Waited != 40 {
		t.Errorf("%+v", l)
	}
	delete(files, "proc/pressure/cpu") // of a kernel without it
	if l := observe(files, func() time.Time { return now })(); l == nil || l.Waited != nil {
		t.Errorf("%+v", l)
	}
	if l := observe(fstest.MapFS{}, func() time.Time { return now })(); l != nil {
		t.Errorf("a system that says nothing has the load %+v", l)
	}
}
