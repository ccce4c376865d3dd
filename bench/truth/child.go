package truth

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"time"
	"unsafe"

	"github.com/dop251/goja"
	"github.com/dop251/goja_nodejs/eventloop"

	"github.com/fieldprof/fieldprof/profile"
)

// childVariable holds what a child of goja-outside is to run.
const childVariable = "FIELDPROF_BENCH_GOJA"

type childOrder struct {
	Path  string   `json:"path"`
	Args  []string `json:"args"`
	Packs []string `json:"packs"` // the files that it requires
}

// gojaLayout is where the words that are read are in goja's types, as compiled here.
var gojaLayout = struct {
	code, callers      uint64 // in the virtual machine: of what runs, and the stack of its callers
	caller, callerCode uint64 // the size of a caller, and its code in it
	codeSource         uint64 // in compiled code
	codeName           uintptr
	machine            uintptr // in a runtime
	missing            string
}{}

func init() {
	l := &gojaLayout
	field := func(t reflect.Type, name string) reflect.StructField {
		f, ok := t.FieldByName(name)
		if !ok {
			l.missing = t.String() + "." + name
			return reflect.StructField{Type: t}
		}
		return f
	}
	machine := field(reflect.TypeFor[goja.Runtime](), "vm")
	if machine.Type.Kind() != reflect.Pointer {
		return
	}
	code, callers := field(machine.Type.Elem(), "prg"), field(machine.Type.Elem(), "callStack")
	if callers.Type.Kind() != reflect.Slice {
		return
	}
	program, caller := reflect.TypeFor[goja.Program](), callers.Type.Elem()
	l.machine, l.code, l.callers = machine.Offset, uint64(code.Offset), uint64(callers.Offset)
	l.caller, l.callerCode = uint64(caller.Size()), uint64(field(caller, "prg").Offset)
	l.codeSource, l.codeName = uint64(field(program, "src").Offset), field(program, "funcName").Offset
}

// Child ends this process, having run a program in goja for the sampler goja-outside, if
// that is what the process was started for. A program that uses that sampler calls it first
// in main.
func Child() {
	text, ok := os.LookupEnv(childVariable)
	if !ok {
		return
	}
	_ = os.Unsetenv(childVariable)
	var order childOrder
	err := json.Unmarshal([]byte(text), &order)
	if err == nil {
		err = order.serve(json.NewDecoder(os.Stdin), json.NewEncoder(os.NewFile(3, "answers")))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// childPrograms are what a child runs, compiled: the program, and the files that it
// requires, by path.
type childPrograms struct {
	main  *goja.Program
	packs map[string]*goja.Program
}

// compile compiles everything before anything runs. A required file gets a function of its
// own, on its first line, so that positions stay.
func (o *childOrder) compile() (*childPrograms, error) {
	read := func(path, before, after string) (*goja.Program, error) {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		return goja.Compile(path, before+string(text)+after, false)
	}
	main, err := read(o.Path, "", "")
	if err != nil {
		return nil, err
	}
	programs := &childPrograms{main, map[string]*goja.Program{}}
	for _, path := range o.Packs {
		if programs.packs[path], err = read(path, "(function () {", "\n})();"); err != nil {
			return nil, err
		}
	}
	return programs, nil
}

// sources are the addresses of their sources.
func (p *childPrograms) sources() []uint64 {
	var list []uint64
	for _, program := range append(slices.Collect(maps.Values(p.packs)), p.main) {
		source := *(*unsafe.Pointer)(unsafe.Add(unsafe.Pointer(program), gojaLayout.codeSource))
		list = append(list, uint64(uintptr(source)))
	}
	return list
}

// serve runs the program when told to, and describes its functions when asked.
func (o *childOrder) serve(orders *json.Decoder, answers *json.Encoder) error {
	programs, err := o.compile()
	if err != nil {
		return err
	}
	loop := eventloop.NewEventLoop(eventloop.EnableConsole(false))
	var failed string
	loop.Run(func(vm *goja.Runtime) {
		o.install(vm, programs)
		machine := *(*unsafe.Pointer)(unsafe.Add(unsafe.Pointer(vm), gojaLayout.machine))
		var run string
		if err = answers.Encode(greeting{Machine: uint64(uintptr(machine)), Sources: programs.sources()}); err != nil {
			return
		}
		if err = orders.Decode(&run); err != nil {
			return
		}
		if _, thrown := vm.RunProgram(programs.main); thrown != nil {
			failed = thrown.Error()
		}
	})
	if err != nil {
		return err
	}
	if err := answers.Encode(greeting{Failed: failed}); err != nil {
		return err
	}
	var code []uint64
	if err := orders.Decode(&code); err != nil {
		return err
	}
	functions := map[uint64]profile.Function{}
	for _, address := range code {
		functions[address] = o.functionAt(address, programs.main)
	}
	runtime.KeepAlive(programs) // all code hangs on them
	return answers.Encode(functions)
}

// install provides what exact programs use in addition to the language.
func (o *childOrder) install(vm *goja.Runtime, programs *childPrograms) {
	began := time.Now()
	log := func(call goja.FunctionCall) goja.Value {
		words := make([]string, len(call.Arguments))
		for i, word := range call.Arguments {
			words[i] = word.String()
		}
		fmt.Println(strings.Join(words, " "))
		return goja.Undefined()
	}
	require := func(call goja.FunctionCall) goja.Value {
		path := filepath.Join(filepath.Dir(o.Path), call.Argument(0).String())
		program := programs.packs[path]
		if program == nil {
			panic(vm.NewGoError(fmt.Errorf("%s is not in the pack", path)))
		}
		value, err := vm.RunProgram(program)
		if err != nil {
			panic(err)
		}
		return value
	}
	for name, value := range map[string]any{
		"require":     require,
		"console":     map[string]any{"log": log},
		"process":     map[string]any{"argv": append([]string{"goja", o.Path}, o.Args...)},
		"performance": map[string]any{"now": func() float64 { return float64(time.Since(began)) / float64(time.Millisecond) }},
	} {
		_ = vm.Set(name, value)
	}
}

// functionAt is the function whose compiled code is at an address. Its position, by goja,
// is where its code begins.
func (o *childOrder) functionAt(address uint64, program *goja.Program) profile.Function {
	at := uintptr(address)
	code := *(*unsafe.Pointer)(unsafe.Pointer(&at)) // the program holds it
	if code == unsafe.Pointer(program) {
		return profile.Function{Name: "(top level)", File: o.Path, Flags: profile.TopLevel}
	}
	shown := stackFrame{prg: code, funcName: *(*string)(unsafe.Add(code, gojaLayout.codeName))}
	frame := (*goja.StackFrame)(unsafe.Pointer(&shown))
	position := frame.Position()
	return profile.Function{Name: frame.FuncName(), File: position.Filename, Line: int32(position.Line), Column: int32(position.Column)}
}
