package gojahost_test

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/dop251/goja"

	"github.com/fieldprof/fieldprof/coordinator"
	"github.com/fieldprof/fieldprof/gojahost"
)

const matchScript = `
function matchInit(players) {
  return { scores: new Array(players).fill(0), left: 12 };
}
function matchLoop(tick, state, messages) {
  for (const message of messages) state.scores[message.player] += damage(message.hit);
  return --state.left > 0 ? state : null;    // null ends the match
}
function damage(hit) { let s = 0; for (let i = 1; i <= hit; i++) s += i; return s; }`

// message is what a player does in a match.
type message struct {
	Player int `json:"player"`
	Hit    int `json:"hit"`
}

// match is one game with a runtime of its own, whose script says what happens in each tick.
type match struct {
	host       *gojahost.Host
	task       *gojahost.Task
	init, loop goja.Callable
	inbox      chan message
}

func newMatch(pool *gojahost.Pool, program *gojahost.Program, name string) (*match, error) {
	vm := goja.New()
	vm.SetFieldNameMapper(goja.TagFieldNameMapper("json", true))
	host, err := pool.Host(vm)
	if err != nil {
		return nil, err
	}
	main, err := program.In(host)
	if err != nil {
		return nil, err
	}
	if _, err := host.RunProgram(main); err != nil {
		return nil, err
	}
	m := &match{host: host, task: host.As("match", name), inbox: make(chan message, 100)}
	m.init, _ = goja.AssertFunction(vm.Get("matchInit"))
	m.loop, _ = goja.AssertFunction(vm.Get("matchLoop"))
	return m, nil
}

// play runs matchLoop at a fixed rate with the messages since the last time, until it returns null. Between
// two calls no script runs, so that time is idle.
func (m *match) play(rate int) (scores any, err error) {
	vm := m.host.Runtime()
	defer m.host.Close()
	state, err := m.task.Callable(m.init)(nil, vm.ToValue(2))
	if err != nil {
		return nil, err
	}
	loop := m.task.Callable(m.loop)
	ticker := time.NewTicker(time.Second / time.Duration(rate))
	defer ticker.Stop()
	for tick := 0; ; tick++ {
		<-ticker.C
		var messages []any
		for len(m.inbox) > 0 {
			messages = append(messages, <-m.inbox)
		}
		next, err := loop(nil, vm.ToValue(tick), state, vm.NewArray(messages...))
		if err != nil || goja.IsNull(next) {
			return state.ToObject(vm).Get("scores").Export(), err
		}
		state = next
	}
}

// A game server plays matches whose rules are a script, each in a runtime and a goroutine of
// its own, a hundred ticks a second. One pool has the profile of all, by match.
func Example_matches() {
	clock := coordinator.New(coordinator.Options{Interval: 10 * time.Millisecond})
	defer clock.Start()()
	pool := gojahost.NewPool(clock, gojahost.Options{Keep: time.Hour})
	program, err := pool.Compile("match.js", []byte(matchScript))
	if err != nil {
		fmt.Println(err)
		return
	}
	var playing sync.WaitGroup
	ended := make([]string, 4)
	for i := range ended {
		playing.Go(func() {
			name := fmt.Sprint("match", i)
			m, err := newMatch(pool, program, name)
			if err != nil {
				ended[i] = err.Error()
				return
			}
			for hit := range 10 {
				m.inbox <- message{Player: hit % 2, Hit: hit * i}
			}
			scores, err := m.play(100)
			ended[i] = fmt.Sprint(name, " ", scores, " ", err)
		})
	}
	playing.Wait()
	for _, line := range ended {
		fmt.Println(line)
	}
	rows := pool.Usage().Rows
	slices.SortFunc(rows, func(a, b gojahost.UsageOf) int { return int(a.Tasks - b.Tasks) })
	fmt.Println(len(rows), "sets of tags, tasks:", rows[0].Tasks, "without and", rows[1].Tasks, "for", len(rows[1:]), "matches each")
	// Output:
	// match0 [0 0] <nil>
	// match1 [70 95] <nil>
	// match2 [260 355] <nil>
	// match3 [570 780] <nil>
	// 5 sets of tags, tasks: 4 without and 13 for 4 matches each
}
