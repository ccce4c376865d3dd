//go:build !linux

package overhead

import (
	"errors"
	"os"
)

func openCounter() (*os.File, error) { return nil, errors.New("only Linux has such counters") }

func closeCounter(*os.File) {}

func readCounter(*os.File) (uint64, error) { return 0, errors.New("only Linux has such counters") }

// threadTime is not known.
func threadTime() float64 { return 0 }
