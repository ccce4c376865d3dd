package collecting

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"
)

// probing is the gap between two probes of the disk: rare enough to add little to its load.
const probing = 250 * time.Millisecond

// probeDisk makes a block durable in a folder again and again until the context ends, and returns
// how long each took, in ms. An acknowledgement waits for the same disk, so this is the floor of
// its time: a stall in both is the disk's, and one in the acknowledgements alone is the collector's.
func probeDisk(ctx context.Context, folder string) (waits []float64, err error) {
	file, err := os.Create(filepath.Join(folder, "probe"))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close(), os.Remove(file.Name())) }()
	block := make([]byte, 4096)
	every := time.NewTicker(probing)
	defer every.Stop()
	for {
		select {
		case <-ctx.Done():
			return waits, nil
		case <-every.C:
		}
		began := time.Now()
		if _, err := file.WriteAt(block, 0); err != nil {
			return nil, err
		}
		if err := file.Sync(); err != nil {
			return nil, err
		}
		waits = append(waits, time.Since(began).Seconds()*1000)
	}
}
