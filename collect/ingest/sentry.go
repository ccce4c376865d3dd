package ingest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
	"github.com/fieldprof/fieldprof/profile/format"
	"github.com/fieldprof/fieldprof/profile/format/sentry"
)

// isSentry recognizes the endpoint of a DSN: /api/{project}/envelope/, below any path.
func isSentry(path string) bool {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	n := len(parts)
	return n >= 3 && parts[n-1] == "envelope" && parts[n-3] == "api" && parts[n-2] != ""
}

// mostItems bounds the items of an envelope, and the profiles of a message of OTLP.
const mostItems = 1000

// decodeSentry decodes an envelope: a line that describes it, then for each item a line that
// describes it and its content, in so many bytes or until the end of the line. Profile chunks
// are kept, and all other items acknowledged and dropped, so that an SDK that sends errors, too,
// is content.
func decodeSentry(req *request) ([]*message, error) {
	var head struct {
		EventID string `json:"event_id"`
		SentAt  string `json:"sent_at"`
	}
	line, rest := cutLine(req.body)
	if err := json.Unmarshal(line, &head); err != nil {
		return nil, refused(http.StatusBadRequest, "format", "the first line is not the header of an envelope: "+err.Error())
	}
	req.reply = clean(head.EventID, 64)
	var messages []*message
	items, others, held := 0, 0, int64(0)
	whole := sync.OnceValue(func() string { return identity(req) })
	for len(rest) > 0 {
		var item struct {
			Type   string `json:"type"`
			Length *int   `json:"length"`
		}
		line, rest = cutLine(rest)
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if items++; items > mostItems {
			return nil, refused(http.StatusRequestEntityTooLarge, "items", "too many items in an envelope")
		}
		if err := json.Unmarshal(line, &item); err != nil {
			return nil, refused(http.StatusBadRequest, "format", "an item has no header: "+err.Error())
		}
		var content []byte
		if item.Length == nil {
			content, rest = cutLine(rest)
		} else {
			if *item.Length < 0 || *item.Length > len(rest) {
				return nil, refused(http.StatusBadRequest, "format", "an item is longer than the envelope")
			}
			content, rest = rest[:*item.Length], rest[*item.Length:]
		}
		if item.Type != "profile_chunk" {
			others++
			continue
		}
		m, err := sentryChunk(req, content, func() string { return whole() + " " + strconv.Itoa(items) })
		if err != nil {
			return nil, err
		}
		// One chunk may have as many of each; an envelope has no more.
		if held += int64(m.profile.Len() + len(m.profile.Stacks.Parent)); held > 2*req.mostSpelled() {
			return nil, &format.TooMany{What: "samples and frames in an envelope", Most: 2 * req.mostSpelled()}
		}
		if sent, err := time.Parse(time.RFC3339, head.SentAt); err == nil {
			m.skew = sent.Sub(req.received)
		}
		messages = append(messages, m)
	}
	if others > 0 {
		messages = append(messages, &message{refused: "not-a-profile"})
	}
	return messages, nil
}

func cutLine(text []byte) (line, rest []byte) {
	line, rest, _ = bytes.Cut(text, []byte("\n"))
	return line, rest
}

// sentryChunk decodes an item, which its place tells from all others if it has no id.
func sentryChunk(req *request, content []byte, place func() string) (*message, error) {
	c, err := sentry.ReadChunk(bytes.NewReader(content), req.mostSpelled())
	if err != nil {
		return nil, err
	}
	m := &message{source: "sentry", profile: c.Profile, began: c.Profile.Meta.Start, labels: pageOf(req)}
	m.labels[record.Release] = c.Release
	m.custom = map[string]string{"environment": c.Environment}
	if c.Profiler != "" {
		m.view = idOf(req, "sentry view", c.Profiler)
	}
	if c.ID != "" {
		m.id = idOf(req, "sentry", c.Profiler, c.ID)
	} else {
		m.id = idOf(req, "sentry", place())
	}
	return m, nil
}

// answerSentry answers as Sentry's relay does.
func answerSentry(req *request, w http.ResponseWriter) {
	answer := map[string]string{}
	if req.reply != "" {
		answer["id"] = req.reply
	}
	answerJSON(w, http.StatusOK, answer)
}
