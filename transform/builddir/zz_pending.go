package builddir

var sourcemapReplaceURL = func(b []byte, u string) ([]byte, bool) { return b, false }
var sourcemapInlineURL = func(b []byte) string { return "" }
