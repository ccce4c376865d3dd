package transform

import (
	"io"
	"os"
	"os/exec"
	"testing"
)

// needNode finds Node, which only CI requires.
func needNode(t *testing.T) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("node is missing")
		}
		t.Skip("SKIPPED: node is missing")
	}
	return node
}

// startNode starts a script that is spoken to while it runs; ended waits for its end.
func startNode(t *testing.T, node string, arguments ...string) (in io.WriteCloser, out io.Reader, ended func() error) {
	t.Helper()
	cmd := exec.Command(node, arguments...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if out, err = cmd.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return in, out, cmd.Wait
}
