package serving

import (
	"context"
	"math/rand/v2"
	"time"
)

// Schedule says when requests are due, until the context ends: so many a second at random
// moments, as from visitors who know nothing of each other. With 0 a second, they are due as
// soon as they are taken. The time of a request counts from when it was due, so one that had
// to wait for a sender waited for the server.
func Schedule(ctx context.Context, due chan<- time.Time, perSecond float64, seed uint64) {
	random := rand.New(rand.NewPCG(seed, 1<<32))
	// The channel is short, so a late reader does not lose its place: the moment is in the value.
	for at := time.Now(); ; {
		if perSecond > 0 {
			at = at.Add(time.Duration(random.ExpFloat64() / perSecond * float64(time.Second)))
			if wait := time.Until(at); wait > 0 {
				select {
				case <-ctx.Done():
					return
				case <-time.After(wait):
				}
			}
		}
		select {
		case <-ctx.Done():
			return
		case due <- at:
		}
	}
}
