package builddir

import (
	"errors"
	"strconv"
	"strings"
)

// ParseShare reads a share as people write it: "3%" or "0.03".
func ParseShare(text string) (float64, error) {
	digits, percent := strings.CutSuffix(text, "%")
	share, err := strconv.ParseFloat(digits, 64)
	if err != nil || !(share >= 0 && share < 1e6) {
		return 0, errors.New("a share is a number with a percent sign, such as 3%, or a fraction, such as 0.03")
	}
	if percent {
		share /= 100
	}
	return share, nil
}
