package npm

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/fieldprof/fieldprof/internal/must"
	"github.com/fieldprof/fieldprof/test/npm/packages"
)

// poisoned puts a sample on the tape of which no profile can be made, waits until one was to
// be made in its mode, and ends.
const poisoned = `
const { tape } = __fieldprof;
const poison = () => tape.add(performance.now(), performance.now(), 1, 0, { error: null, hidden: 0, stack: null, get labels() { throw new Error('poison'); } });
const until = (holds, then) => (holds() ? then() : setTimeout(until, 5, holds, then));
const signal = () => process.kill(process.pid, 'SIGUSR2');
const end = () => process.exit(5);
const modes = {
  exit() { poison(); end(); },
  continuous() {
    const [first] = tape.sessions;
    poison();
    until(() => tape.sessions[0] !== first, end);
  },
  signal() {
    signal();
    until(() => tape.sessions.length, () => { poison(); signal(); until(() => !tape.sessions.length, end); });
  },
};
modes[process.env.FIELDPROF_MODE]();
`

// A profile that cannot be made is a line on standard error; the service goes on, and ends as it would.
func TestServiceIsUnharmed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	folder := packages.Install(t, nil, "@fieldprof/runtime")
	must.Write(t, folder, "app.cjs", poisoned)
	for _, mode := range []string{"exit", "continuous", "signal"} {
		said, code := register(t, folder, []string{"FIELDPROF_MODE=" + mode, "FIELDPROF_EVERY=0.1"}, "app.cjs")
		if code != 5 || !strings.Contains(said, "fieldprof: the profile could not be made: Error: poison\n") {
			t.Errorf("%s: code %d: %s", mode, code, said)
		}
	} // A service that has us in its bundle is without the file that makes the last profile.
	must.Do(t, os.Remove(filepath.Join(folder, "node_modules/@fieldprof/runtime/dist/finish.js")))
	must.Write(t, folder, "bundled.cjs", "__fieldprof.tape.add(performance.now(), performance.now(), 1, 0, { error: null, hidden: 0, stack: null });\nprocess.exit(5);\n")
	said, code := register(t, folder, nil, "bundled.cjs")
	if code != 5 || !strings.Contains(said, "fieldprof: the profile could not be made: finish.js ") {
		t.Errorf("without finish.js: code %d: %s", code, said)
	}
}
