package client

import (
	"encoding/json"

	"github.com/fieldprof/fieldprof/profile/live"
)

// Bounds of what is kept for the server: of all, and of what was sent.
const (
	mostBytes   = 8 << 20 // about
	mostUnacked = 256     // batches
	mostJoined  = 1 << 20 // bytes of those that lost their samples
)

// queue keeps the batches that the server does not have. Those at its beginning have
// their numbers, since they were sent once.
type queue struct {
	batches  []*live.Batch
	bytes    int
	numbered int
	acked    int64
	sent     int64 // over this connection
	welcome  bool  // it may send
}

func (q *queue) isEmpty() bool { return len(q.batches) == 0 }

func (q *queue) add(b *live.Batch) {
	b.Type, b.Seq = live.TypeBatch, 0
	q.batches = append(q.batches, b)
	q.bytes += size(b)
	for i := 0; q.bytes > mostBytes && i < len(q.batches); {
		i = q.strip(i)
	}
}

// resume goes on after the last batch that the server has.
func (q *queue) resume(acked int64) {
	q.ack(acked)
	q.sent, q.welcome = acked, true
}

// ack forgets what the server has.
func (q *queue) ack(seq int64) {
	for q.numbered > 0 && q.batches[0].Seq <= seq {
		q.bytes -= size(q.batches[0])
		q.batches, q.numbered = q.batches[1:], q.numbered-1
	}
	q.acked = max(q.acked, seq)
}

// next returns the next batch to send, or nil.
func (q *queue) next() []byte {
	i := int(q.sent - q.acked)
	if !q.welcome || i < 0 || i >= len(q.batches) || i >= mostUnacked {
		return nil
	}
	q.sent++
	q.batches[i].Seq, q.numbered = q.sent, max(q.numbered, i+1)
	text, err := json.Marshal(q.batches[i])
	if err != nil {
		panic(err) // it has nothing that JSON lacks
	}
	return text
}

// strip takes samples and marks from a batch, and joins the rest with the batch before, if
// neither was sent. It returns where the next batch is.
func (q *queue) strip(i int) (next int) {
	b := q.batches[i]
	if len(b.Samples.Stack)+len(b.Marks) > 0 {
		q.bytes -= size(b)
		b.Dropped.Batches++
		for _, ticks := range b.Samples.Weight {
			b.Dropped.Ticks += int64(ticks)
		}
		b.Samples, b.Marks = live.Samples{}, nil
		q.bytes += size(b)
	}
	if i <= q.numbered {
		return i + 1
	}
	before := q.batches[i-1]
	if before.Profile != b.Profile || size(before)+size(b) > mostJoined {
		return i + 1
	}
	q.bytes -= size(before) + size(b)
	before.Records, before.Stacks = append(before.Records, b.Records...), append(before.Stacks, b.Stacks...)
	before.Notes, before.Account, before.Ended = append(before.Notes, b.Notes...), b.Account, b.Ended
	before.Dropped.Batches += b.Dropped.Batches
	before.Dropped.Ticks += b.Dropped.Ticks
	q.bytes += size(before)
	q.batches = append(q.batches[:i], q.batches[i+1:]...)
	return i
}

// size is about how many bytes a batch has as text.
func size(b *live.Batch) int {
	n := 200 + 24*len(b.Samples.Stack) + 6*len(b.Stacks)
	for i := range b.Records {
		n += 60 + len(b.Records[i].Name) + len(b.Records[i].File)
	}
	for i := range b.Marks {
		n += 60 + len(b.Marks[i].Name) + len(b.Marks[i].Detail)
	}
	for _, note := range b.Notes {
		n += len(note)
	}
	return n
}
