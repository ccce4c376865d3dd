package builddir

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ParseShare reads a share as people write it: "3%" or "0.03". A bare number from 1
// on could be either, and is refused.
func ParseShare(text string) (float64, error) {
	digits, percent := strings.CutSuffix(text, "%")
	share, err := strconv.ParseFloat(digits, 64)
	if err != nil || !(share >= 0 && share < 1e6) {
		return 0, errors.New("a share is a number with a percent sign, such as 3%, or a fraction, such as 0.03")
	}
	switch {
	case percent:
		share /= 100
	case share >= 1:
		return 0, fmt.Errorf("is that %s%% or %s%%? Write it with a percent sign, or as a fraction below 1", digits, strconv.FormatFloat(100*share, 'f', -1, 64))
	}
	return share, nil
}
