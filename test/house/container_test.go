package house

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
)

// The container of the bench has the Go that go.mod asks for, tags that name versions,
// the packages that CI installs, and runs a target of the Makefile.
func TestContainer(t *testing.T) {
	text := string(must.Get(os.ReadFile("../../bench/Containerfile"))(t))
	images := regexp.MustCompile(`(?m)^FROM (\S+)`).FindAllStringSubmatch(text, -1)
	if len(images) == 0 {
		t.Fatal("it has no image")
	}
	pinned := regexp.MustCompile(`^[a-z]+:\d+\.\d+\.\d+-[a-z-]+$`)
	for _, m := range images {
		if !pinned.MatchString(m[1]) {
			t.Errorf("%s: a tag names a whole version and a system", m[1])
		}
	}
	goVersion := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(string(must.Get(os.ReadFile("../../go.mod"))(t)))[1]
	must.Contain(t, "the container", text, "\nFROM golang:"+goVersion+".", "\nCOPY .ci/setup ", "-setup all\n")
	command := regexp.MustCompile(`(?m)^CMD \["make", "([a-z-]+)"\]$`).FindStringSubmatch(text)
	if command == nil {
		t.Fatal("it runs no target of the Makefile")
	}
	makefile := string(must.Get(os.ReadFile("../../Makefile"))(t))
	if !strings.Contains(makefile, "\n"+command[1]+":") {
		t.Errorf("the Makefile has no target %s", command[1])
	}
	if strings.Contains(text, "apt-get") {
		t.Error("it installs packages that .ci/setup does not list")
	}
}
