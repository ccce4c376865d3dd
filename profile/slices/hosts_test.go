package slices_test

import (
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/profile/slices"
)

func TestHosts(t *testing.T) {
	is := slices.Hosts([]string{"shop.example", "CDN.example"})
	for script, want := range map[string]bool{
		"https://shop.example/app.js":           true,
		"https://static.shop.example/app.js":    true,
		"http://cdn.example:8443/app.js":        true,
		"https://Cdn.Example/app.js":            true,
		"blob:https://shop.example/0f":          true,
		"https://workshop.example/app.js":       false,
		"https://shop.example.org/app.js":       false,
		"https://other.example/?shop.example":   false,
		"https://shop.example@other.example/js": false,
		"app.js":                                false,
		"":                                      false,
	} {
		must.Equal(t, is(script), want, script)
	}
}
