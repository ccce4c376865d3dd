package must

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"testing"
)

// HaveNode returns the path of node. CI must have it; elsewhere a test without it is skipped.
func HaveNode(t testing.TB) string {
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

// StartNode starts a script that is sent messages while it runs; ended waits for its end.
func StartNode(t testing.TB, arguments ...string) (in io.WriteCloser, out *bufio.Reader, ended func() error) {
	t.Helper()
	cmd := exec.Command(HaveNode(t), arguments...)
	cmd.Stderr = os.Stderr
	in, out = Get(cmd.StdinPipe())(t), bufio.NewReaderSize(Get(cmd.StdoutPipe())(t), 1<<20)
	Do(t, cmd.Start())
	return in, out, cmd.Wait
}

// AskNode gives a script its input and returns what it prints.
func AskNode(t testing.TB, input []byte, arguments ...string) []byte {
	t.Helper()
	cmd := exec.Command(HaveNode(t), arguments...)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(input), os.Stderr
	return Get(cmd.Output())(t)
}

// AskNodeEach gives a script questions, one a line as JSON, and calls each with the line that
// answers it and what the script prints after that.
func AskNodeEach[Q any](t testing.TB, questions []Q, each func(q Q, line []byte, more *bufio.Reader), arguments ...string) {
	t.Helper()
	in, out, ended := StartNode(t, arguments...)
	go func() {
		defer in.Close()
		encoder := json.NewEncoder(in)
		for _, q := range questions {
			if encoder.Encode(q) != nil {
				return // the script has ended: each cannot read its answer
			}
		}
	}()
	for _, q := range questions {
		line, err := out.ReadBytes('\n')
		if err != nil {
			t.Fatalf("%v ended before %.200v: %v, %v", arguments, q, err, ended())
		}
		each(q, line, out)
	}
	Do(t, ended())
}
