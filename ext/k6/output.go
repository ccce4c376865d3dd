package k6

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.k6.io/k6/metrics"
	"go.k6.io/k6/output"

	"github.com/fieldprof/fieldprof/internal/outfile"
	"github.com/fieldprof/fieldprof/profile"
	"github.com/fieldprof/fieldprof/profile/format"
	"github.com/fieldprof/fieldprof/profile/format/pprof"
)

// profileOutput writes the profile when the test has ended.
type profileOutput struct {
	session *session
	params  output.Params
	format  format.Format // unless the profile is pushed
	began   bool          // the test
}

var _ output.WithStopWithTestError = (*profileOutput)(nil)

// newOutput fails, before the test begins, if the profile could not be written.
func newOutput(params output.Params) (output.Output, error) {
	if _, err := parseSettings(params.ConfigArgument, params.Environment); err != nil {
		return nil, err
	}
	s := current.Load().begin()
	if s == nil {
		return nil, errors.New("it must be named by --out or K6_OUT of `k6 run`: checks go into scripts when they are read")
	}
	switch read, checked := s.counts(); {
	case read == 0:
		return nil, errors.New("k6 has read no script that could have checks: if this is an archive, extract it and run the script")
	case checked == 0:
		params.Logger.Warn("fieldprof: no function takes time of its own: nothing has a check")
	}
	if params.ConfigArgument != s.argument {
		return nil, errors.New("there are two of it: name one file, and `instrument convert` makes others of it")
	}
	o := &profileOutput{session: s, params: params}
	if s.wanted.push != nil {
		return o, nil
	}
	var err error
	if o.format, err = format.ForPath(s.wanted.file); err != nil {
		return nil, err
	}
	// The file is made at the end: k6 does not tell outputs of every way in which a test cannot begin.
	if err := outfile.Check(s.wanted.file); err != nil {
		return nil, err
	}
	return o, nil
}

// Description is a line of what k6 prints before the test.
func (o *profileOutput) Description() string {
	if o.session.wanted.push != nil {
		return name + " (" + o.session.wanted.push.Host + ")"
	}
	return name + " (" + o.session.wanted.file + ")"
}

// Start does nothing: the clock runs since the first script was read.
func (o *profileOutput) Start() error { return nil }

// AddMetricSamples keeps nothing: metrics are other outputs'. It is called, at the latest when the
// test has ended, if the test has begun.
func (o *profileOutput) AddMetricSamples([]metrics.SampleContainer) { o.began = true }

// StopWithTestError writes nothing if the test could not begin, as when another output cannot
// start: the profile would replace that of an earlier test.
func (o *profileOutput) StopWithTestError(err error) error {
	if err != nil && !o.began {
		o.session.stop()
		return nil
	}
	return o.Stop()
}

// Stop ends the recording, and writes it.
func (o *profileOutput) Stop() error {
	s := o.session
	s.stop()
	s.mu.Lock()
	users := slices.Clone(s.users)
	s.mu.Unlock()
	for _, u := range users {
		u.host.Rested()
	}
	if s.wanted.each {
		return o.writeEach(users)
	}
	p := attributed(s.pool.Profile())
	if s.wanted.push != nil {
		return o.push(p)
	}
	return o.write(s.wanted.file, p)
}

// attributed is a recording as time per function. Virtual users wait most of the time, which
// is only in the account.
func attributed(p *profile.Profile) *profile.Profile {
	return profile.WithoutIdle(profile.Attribute(p, profile.BySite))
}

// writeEach writes a file for each virtual user.
func (o *profileOutput) writeEach(users []*user) error {
	byID := map[uint64][]*user{}
	for _, u := range users {
		byID[u.id] = append(byID[u.id], u)
	}
	for id, runtimes := range byID {
		var parts []*profile.Profile
		for _, u := range runtimes {
			parts = append(parts, u.host.Profile())
		}
		p, err := profile.Merge(parts...)
		if err != nil {
			return err
		}
		if err := o.write(eachPath(o.session.wanted.file, id), attributed(p)); err != nil {
			return err
		}
	}
	return nil
}

// eachPath is out-vu3.pb.gz for out.pb.gz.
func eachPath(path string, id uint64) string {
	folder, base := filepath.Split(path)
	stem, extensions, _ := strings.Cut(base, ".")
	return folder + stem + "-vu" + strconv.FormatUint(id, 10) + "." + extensions
}

// write writes a file completely or not at all.
func (o *profileOutput) write(path string, p *profile.Profile) error {
	file, err := outfile.Open(path)
	if err != nil {
		return err
	}
	return file.Complete(func(w io.Writer) error { return o.format.WriteAs(w, path, p) })
}

// patience bounds how long the end of a test waits for a collector.
const patience = 30 * time.Second

// push sends the profile to a collector, or else writes it to a file: the test may have taken
// an hour.
func (o *profileOutput) push(p *profile.Profile) error {
	var body bytes.Buffer
	if err := pprof.Write(&body, p); err != nil {
		return err
	}
	failed := o.send(body.Bytes())
	if failed == nil {
		return nil
	}
	failed = fmt.Errorf("sending the profile to %s: %w", o.session.wanted.push.Host, failed)
	file, err := outfile.Open(defaultOutput)
	if err == nil {
		err = file.Complete(func(w io.Writer) error { _, err := w.Write(body.Bytes()); return err })
	}
	if err != nil {
		return errors.Join(failed, err)
	}
	return fmt.Errorf("%w (it is in %s)", failed, defaultOutput)
}

// send fails if the collector does not take a profile. The address is in no error: it may have
// the collector's key.
func (o *profileOutput) send(body []byte) error {
	client := http.Client{Timeout: patience, Transport: http.DefaultTransport}
	response, err := client.Post(o.session.wanted.push.String(), "application/octet-stream", bytes.NewReader(body))
	if err != nil {
		var in *url.Error
		if errors.As(err, &in) {
			err = in.Err
		}
		return err
	}
	defer response.Body.Close()
	if response.StatusCode/100 != 2 {
		said, _ := io.ReadAll(io.LimitReader(response.Body, 200))
		return fmt.Errorf("%s: %s", response.Status, bytes.TrimSpace(said))
	}
	return nil
}
