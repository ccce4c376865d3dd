package sites

import "testing"

func compareScripts(t *testing.T, b *build) {}
