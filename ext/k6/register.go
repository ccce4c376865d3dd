package k6

import (
	"sync/atomic"

	"github.com/spf13/cobra"
	"go.k6.io/k6/cmd/state"
	"go.k6.io/k6/js/modules"
	"go.k6.io/k6/output"
	"go.k6.io/k6/subcommand"
)

// Names by which k6 knows the extension.
const (
	name         = "fieldprof"
	moduleName   = "k6/x/" + name
	checksModule = moduleName + "/checks"
)

func init() {
	subcommand.RegisterExtension(name, newCommand)
	modules.Register(checksModule, &module{})
	for _, of := range replaced {
		modules.Register(replacement(of), &module{of})
	}
	output.RegisterExtension(name, newOutput)
}

// current is the session of the process: k6 runs one test.
var current atomic.Pointer[session]

// newCommand makes the command `k6 x fieldprof`. k6 asks for it before it does anything
// else, and hands over its state: the one place in which an extension can put itself
// before what k6 reads.
func newCommand(gs *state.GlobalState) *cobra.Command {
	command := &cobra.Command{
		Use:   name,
		Short: "Explain how to profile the scripts of virtual users",
		Long:  help,
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	s := newSession(gs, command)
	gs.FS = &files{Fs: gs.FS, session: s}
	gs.Stdin = &standardInput{Reader: gs.Stdin, session: s}
	current.Store(s)
	return command
}

const help = `Profiles the JavaScript of virtual users:

  k6 run --out fieldprof=out.pb.gz script.js
  go tool pprof -http : out.pb.gz

The output is a file in a format that its extension names (.pb.gz, .cpuprofile, .folded,
.speedscope.json and others), or the address of a collector (https://…/v1/profiles?key=KEY).
Options follow, or are variables of the environment:

  ,interval=10ms     FIELDPROF_INTERVAL   time between two ticks; a number is milliseconds
  ,preset=balanced   FIELDPROF_PRESET     balanced, fine or precise: which functions are told apart
  ,each=vu           FIELDPROF_EACH       a file for each virtual user: out-vu1.pb.gz
  ,keep=1048576      FIELDPROF_KEEP       how many of the latest samples are kept

FIELDPROF_OUTPUT is the file if --out fieldprof names none.`
