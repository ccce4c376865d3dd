// Package npm tests the npm packages as their users have them: packed, and
// installed into folders of their own.
package npm

import (
	"testing"

	"github.com/fieldprof/fieldprof/test/browser"
	"github.com/fieldprof/fieldprof/test/npm/packages"
)

func TestMain(m *testing.M) { packages.Main(m, browser.Stop) }
