package collecting

import (
	"math/rand/v2"
	"time"

	"github.com/fieldprof/fieldprof/collect/record"
)

// Chunks makes the chunks that the days of this bench consist of, for measures of other stores.
func Chunks() (func(at time.Time) *record.Chunk, error) {
	minutes, err := newMinutes(2)
	random := rand.New(rand.NewPCG(3, 3))
	return func(at time.Time) *record.Chunk { return minutes[random.IntN(len(minutes))].chunk(random, at) }, err
}

// Route is the name of one of the routes of these chunks.
func Route(n int) string { return routeName(n) }
