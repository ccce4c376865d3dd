package gecko

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/fieldprof/fieldprof/profile/format/internal/codec"
)

// stretch is a marker of the file, its start and end brought together.
type stretch struct {
	name       string
	start, end time.Duration
	payload    payload
}

// payload is what is read of a marker's data; see thread.text. Times are in milliseconds.
type payload struct {
	Type         string          `json:"type"`
	Name         json.RawMessage `json:"name"`
	EntryType    json.RawMessage `json:"entryType"`
	EventType    json.RawMessage `json:"eventType"`
	Target       json.RawMessage `json:"target"`
	Detail       json.RawMessage `json:"detail"`
	Latency      float64         `json:"latency"`
	InputDelay   float64         `json:"inputDelay"`
	Processing   float64         `json:"processing"`
	Presentation float64         `json:"presentation"`
	StartTime    *float64        `json:"startTime"` // before there were phases
	EndTime      *float64        `json:"endTime"`
}

// markerTable is the table of markers; in the raw form it is a table of rows.
type markerTable struct {
	Name      column            `json:"name"`
	StartTime column            `json:"startTime"`
	EndTime   column            `json:"endTime"`
	Time      column            `json:"time"` // before there were phases
	Phase     column            `json:"phase"`
	Data      []json.RawMessage `json:"data"`
}

func (t *thread) markerTable(raw bool) (m markerTable, err error) {
	if !raw {
		err = unmarshal(t.markers, t.path+".markers", &m)
		return m, err
	}
	var numbers rows
	var cells struct {
		Schema map[string]int      `json:"schema"`
		Data   [][]json.RawMessage `json:"data"`
	}
	if err := unmarshal(t.markers, t.path+".markers", &numbers); err != nil {
		return m, err
	}
	if err := unmarshal(t.markers, t.path+".markers", &cells); err != nil {
		return m, err
	}
	m = markerTable{Name: numbers.column("name"), StartTime: numbers.column("startTime"), EndTime: numbers.column("endTime"),
		Time: numbers.column("time"), Phase: numbers.column("phase")}
	if data, ok := cells.Schema["data"]; ok && data >= 0 {
		m.Data = make([]json.RawMessage, len(cells.Data))
		for i, row := range cells.Data {
			if data < len(row) {
				m.Data[i] = row[data]
			}
		}
	}
	return m, nil
}

// stretches are the thread's markers in order of their starts.
func (t *thread) stretches(raw bool) ([]stretch, error) {
	table, err := t.markerTable(raw)
	if err != nil {
		return nil, err
	}
	if table.Name.fault != nil {
		return nil, fmt.Errorf("%s.markers.name: %w", t.path, table.Name.fault)
	}
	var all []stretch
	open := make(map[string][]stretch)
	for i := range table.Name.values {
		id, err := table.Name.index(i, len(t.strings))
		if err != nil || id < 0 {
			return nil, fmt.Errorf("%s.markers.name[%d]: %v is not one of %d strings", t.path, i, table.Name.values[i], len(t.strings))
		}
		s := stretch{name: t.strings[id], payload: table.payload(i)}
		start, end, phase := table.times(i, &s.payload)
		switch phase {
		case phaseStart:
			if isTime(start) {
				s.start = codec.Nanos(start)
				open[s.name] = append(open[s.name], s)
			}
			continue
		case phaseEnd:
			n := len(open[s.name])
			if n == 0 {
				continue // it began before the recording
			}
			s, open[s.name] = open[s.name][n-1], open[s.name][:n-1]
			start = codec.Millis(s.start)
		}
		if isTime(start) && isTime(end) && end >= start {
			s.start, s.end = codec.Nanos(start), codec.Nanos(end)
			all = append(all, s)
		}
	}
	slices.SortStableFunc(all, func(a, b stretch) int { return cmp.Compare(a.start, b.start) })
	return all, nil
}

// payload returns the payload of a marker; one that is not as expected says nothing.
func (m *markerTable) payload(i int) (p payload) {
	if i >= len(m.Data) || len(m.Data[i]) == 0 || json.Unmarshal(m.Data[i], &p) != nil {
		return payload{}
	}
	return p
}

// times are when a marker starts and ends, and what it is; NaN for what it does not say.
func (m *markerTable) times(i int, p *payload) (start, end float64, phase int) {
	start, end = m.StartTime.at(i), m.EndTime.at(i)
	if m.Phase.known {
		phase = int(orZero(m.Phase.at(i)))
	} else if start = m.Time.at(i); p.StartTime != nil && p.EndTime != nil {
		return *p.StartTime, *p.EndTime, phaseInterval
	}
	if phase == phaseInstant || math.IsNaN(end) && phase != phaseStart {
		end = start
	}
	return start, end, phase
}
