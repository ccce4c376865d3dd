package codec

import (
	"testing"
	"time"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile"
)

func TestWorking(t *testing.T) {
	got := Working([]time.Duration{0, 10, 15, 20, 25, 30, 40, 50}, []Work{
		{10, 40, profile.MarkerStyle}, {14, 16, profile.MarkerGC}, {20, 30, profile.MarkerLayout}, {20, 25, profile.MarkerPaint}, {45, 48, profile.MarkerOther}})
	must.Equal(t, got, []profile.Marker{0, profile.MarkerStyle, profile.MarkerGC, profile.MarkerPaint, profile.MarkerLayout, profile.MarkerStyle, 0, 0})
}
