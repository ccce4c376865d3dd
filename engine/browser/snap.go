package browser

import (
	"bytes"
	"os"
	"path/filepath"
)

// folderFor is where a browser's temporary folder goes; "" is the system's place. A browser
// that is a snap, as Ubuntu's Firefox and Chromium are, has a /tmp of its own, and of the
// user's files sees those of its own folder.
func folderFor(name Name, binary string) (string, error) {
	if !isSnap(binary) {
		return "", nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	folder := filepath.Join(home, "snap", string(name), "common")
	return folder, os.MkdirAll(folder, 0o700)
}

// isSnap reports whether an executable starts a snap: by a link to snap itself, or, as those
// of Ubuntu's packages, by a script.
func isSnap(binary string) bool {
	if resolved, err := filepath.EvalSymlinks(binary); err == nil && filepath.Base(resolved) == "snap" {
		return true
	}
	file, err := os.Open(binary)
	if err != nil {
		return false
	}
	defer file.Close()
	start := make([]byte, 4<<10)
	n, _ := file.Read(start)
	return bytes.HasPrefix(start, []byte("#!")) && bytes.Contains(start[:n], []byte("/snap/bin/"))
}
