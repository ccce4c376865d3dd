package sourcemap

// debugIDMark begins the comment with which build tools name a script and its map.
var debugIDMark = mark{"debugId=", "debugId="}

// longestDebugID is far beyond a UUID, which has 36 characters.
const longestDebugID = 64

// DebugID returns the id in a script's last `//# debugId=` comment, or "". Only comments
// and white space may follow it, as with URL.
func DebugID(code []byte) string {
	id := debugIDMark.find(code)
	if text := string(code[id.start:id.end]); IsDebugID(text) {
		return text
	}
	return ""
}

// IsDebugID reports whether a text may be a debug id: hexadecimal digits, with or without
// dashes.
func IsDebugID(text string) bool {
	for _, c := range []byte(text) {
		if c != '-' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
			return false
		}
	}
	return text != "" && len(text) <= longestDebugID
}
