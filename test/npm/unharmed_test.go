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

// between ends well if we listen to a signal that would end it while it records, and otherwise do not.
const between = `
const listens = () => process.listenerCount('SIGTERM') > 0;
const until = (holds, then) => (holds() ? then() : setTimeout(until, 5, holds, then));
const toggle = () => process.kill(process.pid, 'SIGUSR2');
if (listens()) throw new Error('before the first recording');
toggle();
until(listens, () => {
  toggle();
  until(() => !listens(), () => process.exit(5));
});
`

// exceeds has its recording end as the valve ends one that exceeds its budget, and waits for the profile.
const exceeds = `
const { tape } = __fieldprof;
const [session] = tape.sessions;
tape.add(performance.now(), performance.now(), 1, 0, { error: null, hidden: 0, stack: null });
session.shut = performance.now();
tape.sessions = [];
tape.update();
session.settings.onover('over budget');
const wait = () => (require('node:fs').existsSync(process.env.FIELDPROF_OUTPUT) ? process.exit(5) : setTimeout(wait, 5));
wait();
`

// dying has written a part of each profile when it is killed.
const dying = `
import { readFileSync, writeFileSync } from 'node:fs';
for (const { file } of JSON.parse(readFileSync(0, 'utf8'))) writeFileSync(file + '.part', '{');
process.kill(process.pid, 'SIGKILL');
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
	}
	// An endless loop can be ended by a signal that nothing listens to.
	must.Write(t, folder, "between.cjs", between)
	if said, code := register(t, folder, []string{"FIELDPROF_MODE=signal"}, "between.cjs"); code != 5 {
		t.Errorf("while nothing is recorded: code %d: %s", code, said)
	}
	// A recording that has ended itself need not wait for the end, which may be one that lets no code run.
	must.Write(t, folder, "exceeds.cjs", exceeds)
	if said, code := register(t, folder, []string{"FIELDPROF_OUTPUT=exceeds.cpuprofile"}, "exceeds.cjs"); code != 5 {
		t.Errorf("over budget: code %d: %s", code, said)
	}
	const finish = "node_modules/@fieldprof/runtime/dist/finish.js"
	must.Write(t, folder, "bundled.cjs", "__fieldprof.tape.add(performance.now(), performance.now(), 1, 0, { error: null, hidden: 0, stack: null });\nprocess.exit(5);\n")
	// Systems that run out of memory kill the largest process, which says nothing, maybe while it writes.
	must.Write(t, folder, finish, dying)
	said, code := register(t, folder, nil, "bundled.cjs")
	if code != 5 || !strings.Contains(said, "fieldprof: the profile could not be made: the process that makes it was ended by SIGKILL\n") {
		t.Errorf("a process that is killed: code %d: %s", code, said)
	}
	if left := must.Get(filepath.Glob(filepath.Join(folder, "*.part")))(t); len(left) > 0 {
		t.Errorf("a process that is killed leaves %q", left)
	}
	// A service that has us in its bundle is without the file that makes the last profile.
	must.Do(t, os.Remove(filepath.Join(folder, finish)))
	said, code = register(t, folder, nil, "bundled.cjs")
	if code != 5 || !strings.Contains(said, "fieldprof: the profile could not be made: finish.js ") {
		t.Errorf("without finish.js: code %d: %s", code, said)
	}
}
